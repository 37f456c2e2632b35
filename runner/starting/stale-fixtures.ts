import { comparedAnswer, onUnknownPath } from "../../client/other-paths.ts";
import { type Answer, asText, isAccepted, itemsOf, nextOf } from "../../client/target.ts";
import { requestTo, withHeaders, withQuery } from "../../generators/request.ts";
import { isAnsweredAlike } from "../../history/answers/unknown-paths.ts";
import { ABOUT_ACCESS, NOT_FOUND } from "../../history/entry.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { versionsOf } from "../../spec/versions.ts";
import { serviceMessage } from "./diagnosis.ts";
import { fixturesReadBy } from "./fixtures.ts";
import { describeAnswer, isSimpleRead, type Service, simpleReads, versionToAsk } from "./preflight-client.ts";

/** Returns messages about fixtures that the service does not find. */
export async function staleFixtures(service: Service): Promise<string[]> {
  const { spec, settings } = service;
  const readers = new Map<string, Operation>();
  for (const operation of spec.operations.filter(({ key }) => !settings.notOffered?.includes(key)))
    for (const name of fixturesReadBy(spec, operation))
      if (settings.fixtures[name] !== undefined && !readers.has(name)) readers.set(name, operation);
  const problems = await Promise.all(
    [...readers].map(([name, operation]) => staleFixture(service, name, operation)),
  );
  return problems.filter((problem) => problem !== undefined);
}

async function staleFixture(
  service: Service,
  name: string,
  operation: Operation,
): Promise<string | undefined> {
  const { spec, settings, client } = service;
  const path = settings.fixtures[name] ?? "";
  const ask = (version: string | null) => client.ask({ ...requestTo(operation, version), path });
  const answer = await ask(versionToAsk(settings, operation));
  if (!("status" in answer)) return undefined;
  const alike = [NOT_FOUND, ABOUT_ACCESS].find((each) => each.has(answer.status));
  if (alike === undefined) return undefined;
  // If another version or list shows the resource, this failing read is a finding.
  const others = settings.serviceVersion === "all" ? versionsOf(spec, operation) : [];
  const answers = await Promise.all(others.map(ask));
  if (!answers.every((other) => "status" in other && alike.has(other.status))) return undefined;
  // The user decides the rights of the token (section 5.4), so this is no violation.
  if (alike === ABOUT_ACCESS)
    return `the token may not read the fixture ${name}=${path}: ${describeAnswer(answer)}.${serviceMessage(answer)} Give a token that may (its scopes, perhaps), or remove --fixture ${name}.`;
  if (await isListed(path, operation, service)) return undefined;
  if (await isAbsent(answer, service)) return undefined;
  return `the fixture ${name}=${path} does not exist: ${describeAnswer(answer)}.${serviceMessage(answer)} Name one that exists in the space ${settings.space} (--fixture ${name}=ID), or remove it if ${operation.key} does not exist yet.`;
}

/** True for a missing operation: without a token it is not found, while others ask for one. */
async function isAbsent(answer: Answer, service: Service): Promise<boolean> {
  const { settings, client } = service;
  const [other] = simpleReads(service);
  if (other === undefined) return false;
  const [here, there] = await Promise.all([
    client.statusAt(answer.plan, {}),
    client.statusAt(requestTo(other, versionToAsk(settings, other)), {}),
  ]);
  if (!ABOUT_ACCESS.has(there ?? 0)) return false;
  if (ABSENT_STATUSES.has(here ?? 0)) return true;
  return ABOUT_ACCESS.has(here ?? 0) && isLikeUnknownPath(answer, service);
}

const ABSENT_STATUSES = new Set([404, 405, 501]);

/** True if the service answers an unknown path or space alike. A gateway may ask for a token on any path. */
async function isLikeUnknownPath(answer: Answer, { spec, settings, client }: Service): Promise<boolean> {
  const { plan } = answer;
  const { space } = plan.operation;
  if (!space) return false;
  const others = [onUnknownPath(plan, settings, spec), withHeaders(plan, { [space.name]: null })];
  const answers = await Promise.all(others.map((other) => client.ask(other)));
  return answers.every(
    (each) => "status" in each && isAnsweredAlike(comparedAnswer(each), comparedAnswer(answer)),
  );
}

async function isListed(
  path: string,
  { sameRecord }: Operation,
  { spec, settings, client }: Service,
): Promise<boolean> {
  if (!sameRecord) return false;
  const operation = operationById(spec, sameRecord.list);
  if (!isSimpleRead(operation)) return false;
  const { limit, after } = operation.list ?? {};
  const most = limit?.schema.maximum;
  let plan = requestTo(operation, versionToAsk(settings, operation));
  if (limit && most !== undefined) plan = withQuery(plan, { [limit.name]: String(most) });
  for (let page = 0; page < PAGES_LOOKED_AT; page++) {
    const answer = await client.ask(plan);
    if (!("status" in answer) || !isAccepted(answer)) return false;
    if (itemsOf(answer).some((item) => sameRecord.by.some((field) => asText(item[field]) === path)))
      return true;
    const next = nextOf(answer);
    if (next === null || !after) return false;
    plan = withQuery(plan, { [after.name]: next });
  }
  return false;
}

const PAGES_LOOKED_AT = 10;
