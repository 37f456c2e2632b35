export type Stage = "route" | "auth" | "version" | "space" | "key" | "query" | "find" | "body" | "conflict";

export type Rule =
  | "route"
  | "method"
  | "encoding"
  | "size"
  | "required"
  | "scheme"
  | "token"
  | "known"
  | "type"
  | "null"
  | "minLength"
  | "maxLength"
  | "minItems"
  | "maxItems"
  | "maxProperties"
  | "minimum"
  | "maximum"
  | "pattern"
  | "enum"
  | "format"
  | "repeated"
  | "cursor"
  | "contentType"
  | "json"
  | "object"
  | "unique"
  | "reuse"
  | "state";

export interface Problem {
  /** `header.<Name>`, `query.<name>`, `path.<name>`, `body.<field>`, `body` or `url`. */
  readonly at: string;
  readonly rule: Rule;
  readonly message: string;
}

export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

export class Rejected extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.problems.map((problem) => problem.message).join("; "));
  }
}

const statusOfRule: Partial<Record<Rule, number>> = {
  route: 404,
  method: 405,
  size: 413,
  contentType: 415,
  unique: 409,
  reuse: 422,
  state: 409,
};

export function rejectionOf(
  stage: Stage,
  problems: readonly Problem[],
  headers: Readonly<Record<string, string>> = {},
): Rejection {
  const rule = problems[0]?.rule;
  const byStage = stage === "auth" ? 401 : stage === "find" ? 404 : rule === "known" ? 403 : undefined;
  return { status: byStage ?? (rule && statusOfRule[rule]) ?? 400, headers, problems };
}
