/** Stops the run if a setting, such as the token, is wrong. If only one read fails, a check reports it. */

import { type Answer, isAccepted, isRejected, isUnavailable } from "../../client/target.ts";
import { requestTo } from "../../generators/request.ts";
import { duration } from "../../reports/text.ts";
import type { Operation } from "../../spec/model/spec.ts";
import {
  clockOffset,
  isPage,
  noAnswerMessage,
  proxyRemark,
  serviceMessage,
  speaksNoTls,
} from "./diagnosis.ts";
import { chooseFixtures, FixtureCommandFailed } from "./fixtures.ts";
import { explainNoPathFound, explainPathsMissing } from "./other-addresses.ts";
import { describeAnswer, type Service, simpleReads, versionToAsk } from "./preflight-client.ts";
import { staleFixtures } from "./stale-fixtures.ts";

/** Milliseconds. With clocks further apart, the service rejects the times in requests. */
const FAR_OFF_MS = 15 * 60_000;

/** Returns a sentence if the run can't start. */
export async function preflight(service: Service): Promise<string | null> {
  const { settings, client } = service;
  const simple = simpleReads(service);
  // Without a space, only the token can be wrong, so these reads come first.
  const inOrder = [...simple.filter(({ space }) => !space), ...simple.filter(({ space }) => space)];
  const [foremost, ...others] = inOrder;
  if (foremost === undefined) return null;
  const ask = (operation: Operation) => client.ask(requestTo(operation, versionToAsk(settings, operation)));
  const first = await ask(foremost);
  if (!("status" in first)) return unreachableMessage(service, first, foremost);
  const rest = await Promise.all(others.map(ask));
  const answers = [first, ...rest.filter((asked) => "status" in asked)];
  return (
    (await problemOfAllAnswers(service, answers)) ??
    (await problemOfSomeAnswers(service, answers)) ??
    (await problemWhileChoosingFixtures(service)) ??
    (await otherProblems(service, answers))
  );
}

/** Returns the problem that makes every answer fail, such as a wrong token or URL, or null. */
async function problemOfAllAnswers(service: Service, answers: Answer[]): Promise<string | null> {
  const { settings } = service;
  const { baseUrl } = settings;
  const [first] = answers;
  if (first === undefined) return null;
  const all = (is: (answer: Answer) => boolean) => answers.every(is);
  if (all(({ status }) => status === 401 || status === 403) && !all(isPage))
    return `the service refuses the token: ${describeAnswer(first)}.${serviceMessage(first)} Is the token right, of this environment, and not expired? (PAYMENTS_CONFORMANCE_TOKEN)`;
  if (all(({ status }) => status >= 300 && status < 400)) return redirectMessage(first);
  if (all(isUnavailable)) {
    const after = first.headers["retry-after"];
    const later = after === undefined ? "later" : `after ${after} (its Retry-After)`;
    return `the service is not available: ${describeAnswer(first)}.${serviceMessage(first)}${proxyRemark(settings)} Try again ${later}; nothing was judged.`;
  }
  if (all(isPage))
    return all(({ status }) => status === 404)
      ? explainNoPathFound(service, answers)
      : `${baseUrl} answers with web pages, not with JSON: ${describeAnswer(first)}.${serviceMessage(first)} Is that the address of the API, and not of a login page, a portal or a proxy?`;
  if (all(({ status }) => [404, 405, 410].includes(status))) return explainNoPathFound(service, answers);
  if (all(({ status, text }) => status === 400 && /plain HTTP request|HTTPS port/i.test(text)))
    return `${baseUrl} speaks TLS, and was asked in plain HTTP.${serviceMessage(first)} Begin --base-url with https://.`;
  return null;
}

function redirectMessage(first: Answer): string {
  const to = first.headers.location ?? "";
  const login = /log-?in|sign-?in|sso|auth|oauth/i.test(to) ? ", which looks like a login page" : "";
  const where = to === "" ? "somewhere else" : `to ${to.split("?")[0]}${login}`;
  return `the service redirects every call ${where}: ${describeAnswer(first)}. Redirects are not followed: give the address of the API itself as --base-url.`;
}

/** Returns the problem that some answers have in common, such as a wrong space, or null. */
async function problemOfSomeAnswers(service: Service, answers: Answer[]): Promise<string | null> {
  const missing = await explainPathsMissing(service, answers);
  if (missing !== null) return missing;
  const inSpace = answers.filter(isInSpace);
  const withoutSpace = answers.filter((answer) => !isInSpace(answer));
  const [rejected] = inSpace;
  if (withoutSpace.some(isAccepted) && rejected !== undefined && inSpace.every(isRejected))
    return `the service refuses the space ${service.settings.space}: ${describeAnswer(rejected)}.${serviceMessage(rejected)} Is the space right, and may this token use it? (--space)`;
  return null;
}

function isInSpace({ plan }: Answer): boolean {
  return plan.operation.space !== undefined;
}

/** Chooses usable fixtures, and returns the problem if the fixture command fails, or null. */
async function problemWhileChoosingFixtures(service: Service): Promise<string | null> {
  try {
    for (const usedUp of await chooseFixtures(service)) service.client.remark(usedUp);
  } catch (error) {
    if (error instanceof FixtureCommandFailed) return error.message;
    throw error;
  }
  return null;
}

/** Returns the remaining problems as one message, or null: of fixtures, the second space and the clock. */
async function otherProblems(service: Service, answers: Answer[]): Promise<string | null> {
  const [stale, closed] = await Promise.all([
    staleFixtures(service),
    closedSecondSpace(service, answers.filter(isInSpace).filter(isAccepted)),
  ]);
  const problems = [...stale, ...closed, ...wrongClock(answers)];
  return problems.length === 0 ? null : problems.join(" ");
}

async function closedSecondSpace({ settings, client }: Service, accepted: Answer[]): Promise<string[]> {
  const { secondSpace, secondToken } = settings;
  const [known] = accepted;
  if (secondSpace === undefined || known === undefined) return [];
  const answer = await client.ask({ ...known.plan, space: "second" });
  if (!("status" in answer) || !isRejected(answer)) return [];
  const token = secondToken === undefined ? "the token does" : "the second token does";
  return [
    `${token} not open the second space ${secondSpace}: ${describeAnswer(answer)}.${serviceMessage(answer)} Give a token that does (--second-token), or remove --second-space.`,
  ];
}

function wrongClock(answers: Answer[]): string[] {
  const offsets = answers.map((answer) => clockOffset(answer, Date.parse(answer.exchange.startedAt)));
  const [first = 0] = offsets;
  if (!offsets.every((offset) => Math.abs(offset) > FAR_OFF_MS && Math.sign(offset) === Math.sign(first)))
    return [];
  const off = duration(Math.abs(first));
  return [
    `the clocks differ: by its Date header the service is ${off} ${first > 0 ? "ahead of" : "behind"} this machine, so that every time sent would look wrong. Set the clock that is off.`,
  ];
}

async function unreachableMessage(
  { settings, client }: Service,
  asked: { reason: string; message: string },
  operation: Operation,
): Promise<string> {
  const { baseUrl } = settings;
  const plan = requestTo(operation, null);
  if (baseUrl.startsWith("https://") && speaksNoTls(asked.message))
    return `${baseUrl} does not speak TLS: what listens there answers in plain text. Begin --base-url with http://, if that is meant.`;
  if (baseUrl.startsWith("http://") && /closed|not HTTP/.test(asked.message)) {
    const secure = baseUrl.replace(/^http:/, "https:");
    if ((await client.statusAt(plan, { baseUrl: secure })) !== undefined)
      return `${baseUrl} speaks TLS, and was asked in plain HTTP. Begin --base-url with https://.`;
  }
  return noAnswerMessage(settings, asked);
}
