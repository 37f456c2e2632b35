/**
 * Questions that section 9 leaves open: an empty version, the meaning of an absent one, and the other reading of
 * paths.
 */

import { allowedVersions } from "../client/version-choice.ts";
import { withHeaders } from "../generators/request.ts";
import { isObject, jsonType } from "../spec/json.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";

/** Not for creates, since it would leave a resource behind for no verdict. */
const spelling = (stage: "read" | "write") =>
  rule({
    requirement: "VERSION-SPELLING",
    notes: "emptyVersion",
    over: (spec) =>
      operationsOf(spec, "list", "read", "update")
        .filter(({ version, method }) => version && (method === "GET") === (stage === "read"))
        .map((operation) => ({ operation })),
    title: ({ operation }) => `how ${operation.key} treats an empty version`,
    group: ({ operation }) => operation.kind,
    async run(call, { operation }) {
      const plan = await call.under(null).fresh();
      const answer = await call.send(withHeaders(plan, { [operation.version?.name ?? ""]: "" }));
      call.note("VERSION-SPELLING", "emptyVersion", { status: answer.status });
    },
  });

const absent = rule({
  requirement: "VERSION-DEFAULT",
  notes: "defaultVersion",
  over: (spec) =>
    operationsOf(spec, "list", "read")
      .filter(
        (operation) =>
          operation.version && !operation.version.required && allowedVersions(spec, operation).length > 1,
      )
      .map((operation) => ({ operation })),
  title: ({ operation }) => `the version that ${operation.key} uses without the header`,
  async run(call, { operation }) {
    const { target } = call;
    const versions = allowedVersions(target.spec, operation);
    const plan = await call.under(null).valid();
    const answers = await Promise.all([null, ...versions].map((version) => call.ask({ ...plan, version })));
    const shapes = answers.map((answer) => JSON.stringify(shapeOf(answer.json)));
    const alike = versions.filter((_, index) => shapes[index + 1] === shapes[0]);
    const all = alike.length === versions.length;
    call.note("VERSION-DEFAULT", "defaultVersion", { names: alike, all });
  },
});

/** The names and types of a JSON value, without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (!isObject(value)) return jsonType(value);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, shapeOf(value[name])]));
}

const paths = rule({
  requirement: "PATHS-OTHER",
  notes: "paths",
  over: (spec) => {
    const prefixes = new Set(Object.values(spec.pathReadings).map((reading) => reading.prefix));
    return operationsOf(spec, "list", "read").flatMap((operation) =>
      [...prefixes].flatMap((prefix) => {
        if (prefix === "") return [];
        const { path } = operation;
        const other = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : `${prefix}${path}`;
        return [{ operation, prefix, other, detail: other }];
      }),
    );
  },
  title: ({ operation, other }) => `whether ${operation.key} also answers on ${other}`,
  async run(call, { operation, prefix, other }) {
    const { target } = call;
    const asShown = target.settings.paths !== "v1" || operation.path.startsWith(`${prefix}/`);
    const answer = await target.send({
      ...(await call.valid()),
      pathOverride: asShown ? other : operation.path,
    });
    call.note("PATHS-OTHER", "paths", { status: answer.status }, { tried: other });
  },
});

/** The rules that only record. */
export const versionNotes = suiteOf("versions", spelling("read"), spelling("write"), absent, paths);
