import type { Context } from "../context.ts";
import { CREATES, DOCUMENTED, EVERYWHERE, overlook, refuse, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { operations } from "../operations.ts";
import { type Condition, VERSION_CHOICES } from "../operators/condition.ts";
import { ALWAYS, across, SOME_VERSION } from "../operators/operator.ts";
import type { Defect } from "./defect.ts";

const authorization = (ctx: Context) => ctx.request.headers.authorization;

function letPass(holds: (ctx: Context) => boolean): (where: Where) => Hooks {
  return () => ({ problems: (problems, ctx, stage) => (stage === "auth" && holds(ctx) ? [] : problems) });
}

function compareTokens(same: (sent: string, known: string) => boolean): (where: Where) => Hooks {
  return () => ({
    credentials: (credentials, ctx) => {
      const known = [...ctx.service.tokens.keys()].find((token) => same(credentials.token, token));
      return known !== undefined ? { ...credentials, token: known } : credentials;
    },
  });
}

const CREDENTIALS: Readonly<
  Record<string, readonly [breaks: string, does: string, hooks: (where: Where) => Hooks]>
> = {
  "no-credentials": [
    "AUTH-MISSING",
    "calls without Authorization pass",
    letPass((ctx) => !authorization(ctx)),
  ],
  "any-token": [
    "AUTH-UNKNOWN-TOKEN",
    "every bearer token passes",
    (where) => overlook(where, { stage: "auth", rule: "token" }),
  ],
  "empty-token": [
    "AUTH-EMPTY-TOKEN",
    "an empty bearer token passes",
    letPass((ctx) => /^bearer\s*$/i.test(authorization(ctx) ?? "")),
  ],
  "any-scheme": [
    "AUTH-OTHER-SCHEME",
    "another scheme than Bearer passes",
    letPass((ctx) => /^(?!bearer)\S+ /i.test(authorization(ctx) ?? "")),
  ],
  "token-alone": [
    "AUTH-BARE-TOKEN",
    "a known token without a scheme passes",
    letPass((ctx) => ctx.service.tokens.has(authorization(ctx) ?? "")),
  ],
  "token-any-case": [
    "AUTH-ALTERED-TOKEN",
    "tokens are compared without their case",
    compareTokens((sent, known) => sent.toLowerCase() === known.toLowerCase()),
  ],
  "token-beginning": [
    "AUTH-ALTERED-TOKEN",
    "the beginning of a known token passes",
    compareTokens((sent, known) => sent.length >= 8 && known.startsWith(sent)),
  ],
  "token-and-more": [
    "AUTH-ALTERED-TOKEN",
    "a known token with something behind it passes",
    compareTokens((sent, known) => sent.startsWith(known)),
  ],
};

const OTHER_PATH: Where = DOCUMENTED.filter((name) => !name.includes(" /v1/"));
const ON_OTHER_PATH: Condition = {
  name: "other-path",
  says: "on the other reading of its path only",
  breaks: [],
  holds: (ctx) => ctx.underV1,
};

const REDEEM: Where = ["POST /v1/receipts/{orderNumber}/redeem"];

const REFUSED = { at: "header.Authorization", rule: "scheme", message: "the scheme is not Bearer" } as const;
const isDocumented = (name: (typeof operations)[number]["name"]) => DOCUMENTED.includes(name);

export const accessDefects: readonly Defect[] = [
  ...Object.entries(CREDENTIALS).flatMap(([name, [breaks, does, hooks]], index) => {
    const fault = { breaks: [breaks], does, hooks };
    const versions = index < 2 ? () => VERSION_CHOICES : SOME_VERSION;
    return [
      ...across(
        name,
        EVERYWHERE,
        (operation) =>
          isDocumented(operation) ? [...new Set([undefined, ...versions(operation, name)])] : [undefined],
        fault,
      ),
      ...(index < 2 ? across(name, OTHER_PATH, () => [ON_OTHER_PATH], fault) : []),
      ...(index < 2
        ? across(`${name}-but-done`, [...CREATES, ...UPDATES, ...REDEEM], ALWAYS, {
            breaks: ["AUTH-NO-EFFECT"],
            does: "a call with such credentials is refused after it was carried out",
            hooks: (where) => late(hooks(where)),
          })
        : []),
    ];
  }),
  ...across("scheme-case", DOCUMENTED, SOME_VERSION, {
    breaks: ["AUTH-SCHEME-CASE"],
    does: "the scheme has to be spelled Bearer",
    hooks: (where) =>
      refuse(where, "auth", REFUSED, (ctx) =>
        /^(?!Bearer)[Bb][Ee][Aa][Rr][Ee][Rr] /.test(authorization(ctx) ?? ""),
      ),
  }),
];

function late({ problems }: Hooks): Hooks {
  return {
    late: (isLate, ctx, stage) => {
      if (stage !== "auth" || !problems) return isLate;
      const found = [
        { at: "header.Authorization", rule: authorization(ctx) ? "token" : "required", message: "" },
      ] as const;
      return problems(found, ctx, stage).length === 0 || isLate;
    },
  };
}
