import { describe, expect, test } from "vitest";
import { alteredCursor, cursorsOfItsForm, unknownIdLike } from "../../generators/cursors.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64url");

describe("a cursor that is altered", () => {
  test("differs in its middle, which is not padding", () => {
    expect(alteredCursor("abcdefgh")).toBe("abcdAfgh");
    expect(alteredCursor("abcdAfgh")).toBe("abcdBfgh");
  });

  test("is missing if every change might mean another position", () => {
    expect(alteredCursor("12")).toBeNull();
  });
});

describe("made-up cursors in the form of a real one", () => {
  test("have its encoding, with numbers and ends changed", () => {
    const made = cursorsOfItsForm(base64('["pyc_a",42]')).map((text) =>
      Buffer.from(text, "base64").toString(),
    );
    expect(made).toEqual(['["pyc_a",99999999999999999999]', '["pyc_a",x]', '["pyc_']);
  });

  test("keep the text after a point, such as a seal", () => {
    const made = cursorsOfItsForm(`${base64('{"at":7}')}.c2VhbA`);
    expect(made.length).toBeGreaterThan(0);
    for (const text of made) expect(text.endsWith(".c2VhbA")).toBe(true);
  });

  test("are other numbers if the cursor is a plain number", () => {
    expect(cursorsOfItsForm("120")).toEqual(["99999999999999999999", "x"]);
  });

  test("are missing if the cursor is empty", () => {
    expect(cursorsOfItsForm("")).toEqual([]);
  });

  test("never repeat it", () => {
    for (const cursor of ["a", "x", "id-1", base64("abc"), "é", "....", "=="])
      expect(cursorsOfItsForm(cursor)).not.toContain(cursor);
  });
});

describe("an id that names nothing", () => {
  test.each(["whk_01hv9", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "1234567890123456", "a"])(
    "looks like %s",
    (id) => {
      const made = unknownIdLike(id);
      expect(made).toHaveLength(id.length);
      expect(made.replace(/[0-9a-f]/g, "*")).toBe(id.replace(/[0-9a-f]/g, "*"));
      expect(made).not.toBe(id);
    },
  );

  test("keeps the beginning of an id, which may name its kind", () => {
    expect(unknownIdLike("abcd-1234567890123456").startsWith("abcd")).toBe(true);
  });

  test.each(["7", "42", "1234", "job-12"])("is not made of %s, because another number may be known", (id) => {
    expect(unknownIdLike(id)).toBe("");
  });
});
