import { describe, expect, test } from "vitest";
import type { Target } from "../../client/target.ts";
import { Rejections } from "../../runner/confirming/rejections.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../spec/package-spec.ts";
import { runAgainst } from "../suites/fakes.ts";
import type { Asked, TinyAnswer } from "../suites/tiny-server.ts";

/**
 * The operation `key` accepted a request, and later rejected one of the check "check". A valid request now gets
 * `answer`. Returns the checks whose rejections prove nothing, with the reason.
 */
function unproven(
  key: string,
  answer: (asked: Asked) => TinyAnswer,
  edition = spec,
): Promise<Record<string, string>> {
  const judged = async (target: Target) => {
    const rejections = new Rejections();
    rejections.see(operation(key, edition), 200, "before");
    rejections.see(operation(key, edition), 401, "check");
    await rejections.askOnceMore(target, () => false);
    return rejections.unproven;
  };
  return runAgainst(answer, judged, { fixtures: { mutablePayout: "p1" } }, edition);
}

describe("a rejection without a later success", () => {
  const withSpace = ({ headers }: Asked) => headers["service-space-id"] !== undefined;

  test.each(["GET /v1/ussd-otps", "GET /v1/financial-accounts"])(
    "of %s is proven by a valid call in a space",
    async (key) => {
      const answer = (asked: Asked) => (withSpace(asked) ? { status: 200 } : { status: 400 });
      expect(await unproven(key, answer)).toEqual({});
    },
  );

  test("is unproven if a valid call is rejected too", async () => {
    const reasons = await unproven("GET /v1/financial-accounts", () => ({ status: 403 }));
    expect(reasons).toEqual({
      check: "a valid GET /v1/financial-accounts was answered 403 after it, so the rejection proves nothing",
    });
  });

  test("of an action is proven by the action on a new resource", async () => {
    const document = documentCopy();
    const paths = objectAt(document, "paths");
    const { parameters, responses } = objectAt(paths, "/webhooks/{id}", "patch");
    const post = { operationId: "rotate", "x-section": "4.15", parameters, responses };
    paths["/webhooks/{id}/rotate"] = { post };
    const takenBy = (accepts: (id: string, first: string) => boolean) => {
      let made = 0;
      let first: string | undefined;
      return ({ path }: Asked) => {
        const acted = /^\/webhooks\/(\w+)\/rotate/.exec(path)?.[1];
        first ??= acted;
        const result = { id: acted ?? `w${++made}` };
        const status = acted === undefined || accepts(acted, first ?? "") ? 200 : 409;
        return { status, body: { success: true, result } };
      };
    };
    const edition = specOf(document);
    const act = "POST /webhooks/{id}/rotate";
    expect(
      await unproven(
        act,
        takenBy((id, first) => id !== first),
        edition,
      ),
    ).toEqual({});
    const never = await unproven(
      act,
      takenBy(() => false),
      edition,
    );
    expect(Object.keys(never)).toEqual(["check"]);
  });

  test("of an update is proven by an update right after a read", async () => {
    let isRead = false;
    const answer = ({ method }: Asked) => {
      const status = method === "GET" || isRead ? 200 : 409;
      isRead = method === "GET";
      return { status };
    };
    expect(await unproven("PATCH /payouts/{id}", answer)).toEqual({});
    const never = ({ method }: Asked) => ({ status: method === "GET" ? 200 : 409 });
    expect(Object.keys(await unproven("PATCH /payouts/{id}", never))).toEqual(["check"]);
  });
});
