import { describe, expect, test } from "vitest";
import { alteredCursor, cursorsOfItsForm, idOfNothing } from "../../generators/cursors.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64url");

describe("a cursor that is altered", () => {
  test("differs in its middle, which is no padding", () => {
    expect(alteredCursor("abcdefgh")).toBe("abcdAfgh");
    expect(alteredCursor("abcdAfgh")).toBe("abcdBfgh");
  });

  test("is not there where nothing is sure to mean something else", () => {
    expect(alteredCursor("12")).toBeNull();
  });
});

describe("cursors of the form of another", () => {
  test("are encoded as it is, with numbers and ends changed", () => {
    const made = cursorsOfItsForm(base64('["pyc_a",42]')).map((text) =>
      Buffer.from(text, "base64").toString(),
    );
    expect(made).toEqual(['["pyc_a",99999999999999999999]', '["pyc_a",x]', '["pyc_']);
  });

  test("keep what stands behind a point, such as a seal", () => {
    const made = cursorsOfItsForm(`${base64('{"at":7}')}.c2VhbA`);
    expect(made.length).toBeGreaterThan(0);
    for (const text of made) expect(text.endsWith(".c2VhbA")).toBe(true);
  });

  test("of a plain number are other numbers", () => {
    expect(cursorsOfItsForm("120")).toEqual(["99999999999999999999", "x"]);
  });

  test("are none of one that is empty", () => {
    expect(cursorsOfItsForm("")).toEqual([]);
  });

  test("never repeat it", () => {
    for (const cursor of ["a", "x", "id-1", base64("abc"), "é", "....", "=="])
      expect(cursorsOfItsForm(cursor)).not.toContain(cursor);
  });
});

describe("an id of nothing", () => {
  test.each(["whk_01hv9", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "1234", "a"])("looks like %s", (id) => {
    const made = idOfNothing(id);
    expect(made).toHaveLength(id.length);
    expect(made.replace(/[0-9a-f]/g, "*")).toBe(id.replace(/[0-9a-f]/g, "*"));
    expect(made).not.toBe(id);
  });

  test("keeps the beginning, which says what it is of", () => {
    expect(idOfNothing("abcd-123456").startsWith("abcd")).toBe(true);
  });
});
