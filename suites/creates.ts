/** Creates (sections 4.2 and 4.14): what was sent is shown, defaults hold, and a rejected call leaves nothing behind. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { control, refusedHeaders } from "../client/controls.ts";
import { listOf, markedField } from "../client/relations.ts";
import { createdResource, identityOf, outerPath, sendBody, subjectOf } from "../client/subjects.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import { type Answer, isAccepted, isRejected, itemsOf, resourceOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { bodyViolations, isConfirmed } from "../generators/probes.ts";
import { requestTo, withBody, withHeaders } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import { sameJson } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue, typesOf } from "../spec/schema.ts";
import { anyTextChecks, declinableChecks, type Rounds } from "../trials/awkward.ts";
import { describeDifferences } from "../trials/compare.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { awkwardSamples, echoFaults, plainTwin, specials, withAwkwardParts } from "../trials/echo.ts";
import { ensureItems, findInList } from "../trials/own-items.ts";
import { PAGES_TO_MISS, readPages } from "../trials/pages.ts";

const SUITE = "creates";

export function createChecks(spec: Spec): Check[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const list = listOf(spec, operation);
    return [
      ...echoChecks(spec, operation, body),
      ...defaultChecks(spec, operation, body),
      ...unsentNullCheck(spec, operation),
      ...declinableChecks(spec, operation, body, { ...roundsOf(operation), note: "CREATE-AWKWARD" }),
      ...initialNotes(spec, operation),
      ...(list ? [prepareCheck(operation, list), ...listedChecks(spec, operation, body, list)] : []),
      ...noEffectChecks(spec, operation, body, list),
    ];
  });
}

/** Throws a Violation where a created resource does not show what was sent. */
async function mustShow(
  target: Target,
  operation: Operation,
  sent: JsonObject,
  answer: Answer,
): Promise<void> {
  const shown = resourceOf(answer);
  if (!shown) return;
  const faults = await echoFaults(target, operation, sent, shown);
  if (faults.length === 0) return;
  const { expected, actual } = describeDifferences(faults);
  throw new Violation(expected, actual, [
    { ...answer.exchange, offending: `/result${faults[0]?.pointer ?? ""}` },
  ]);
}

async function createWith(
  target: Target,
  operation: Operation,
  version: string | null,
  body: JsonObject,
): Promise<Answer> {
  const answer = await sendBody(target, withBody(requestTo(operation, version), body));
  createdResource(target, operation, answer);
  return answer;
}

/** Each call makes a resource of its own, and the answer shows it. */
function roundsOf(operation: Operation): Rounds {
  return {
    suite: SUITE,
    requirement: "CREATE-ECHO",
    shower: operation.key,
    begin: (target, version, work) =>
      work({
        send: (body, role) => sendBody(target, withBody(requestTo(operation, version), body), role),
        mustShow: (body, answer) => mustShow(target, operation, body, answer),
      }),
  };
}

function echoChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
  const flat = spec.schemas.flatten(body);
  const switches = Object.entries(flat.properties ?? {}).filter(([, child]) =>
    typesOf(spec.schemas.flatten(child)).includes("boolean"),
  );
  const sketch = {
    suite: SUITE,
    requirement: "CREATE-ECHO",
    operation,
    stage: "write",
    writes: true,
  } as const;
  return [
    ...(["minimal", "full"] as const).flatMap((extent) =>
      perVersion(spec, {
        ...sketch,
        detail: extent,
        title: `${operation.key} shows what was sent (${extent === "full" ? "all fields" : "required fields"})`,
        async run(target, version) {
          const sent = await validBody(target, operation, extent, version === null ? 0 : 1);
          await mustShow(target, operation, sent, await createWith(target, operation, version, sent));
        },
      }),
    ),
    ...switches.flatMap(([name]) =>
      [true, false].map((value) =>
        check({
          ...sketch,
          detail: `${name} ${value}`,
          title: `${operation.key} shows ${name} as it was sent: ${value}`,
          async run(target) {
            const sent = { ...(await validBody(target, operation, "full")), [name]: value };
            await mustShow(
              target,
              operation,
              sent,
              await createWith(target, operation, usualVersion(target, operation), sent),
            );
          },
        }),
      ),
    ),
    ...specials(spec, body).map(({ detail, title, make }) =>
      check({
        ...sketch,
        detail,
        title: `${operation.key} shows what was sent ${title}`,
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          let shown = 0;
          for (const { sent } of await make(target, operation)) {
            const answer = await sendBody(target, withBody(requestTo(operation, version), sent), "probe");
            // A rejection is the finding of another check.
            if (!isAccepted(answer)) continue;
            shown++;
            await mustShow(target, operation, sent, answer);
          }
          if (shown === 0) throw new Untestable("no-data", `nothing was accepted ${title}`);
        },
      }),
    ),
    ...anyTextChecks(spec, operation, body, roundsOf(operation)),
  ];
}

function defaultChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {}).flatMap(([name, child]) => {
    const schema = spec.schemas.flatten(child);
    if (schema.default === undefined) return [];
    return perVersion(spec, {
      suite: SUITE,
      requirement: "CREATE-DEFAULT",
      operation,
      detail: name,
      title: `${operation.key} without ${name} makes it ${String(schema.default)}`,
      stage: "write",
      writes: true,
      async run(target, version) {
        for (const extent of ["minimal", "full"] as const) {
          const { [name]: _, ...sent } = await validBody(target, operation, extent);
          const answer = await createWith(target, operation, version, sent);
          const shown = resourceOf(answer)?.[name];
          if (!sameJson(shown, schema.default)) {
            throw new Violation(`${name} ${describeValue(schema.default)}`, describeValue(shown), [
              { ...answer.exchange, offending: `/result/${name}` },
            ]);
          }
        }
      },
    });
  });
}

/** A field that may show null after null was sent shows none when it was not (ruling on row 10). */
function unsentNullCheck(spec: Spec, operation: Operation): Check[] {
  const resource = operation.resource && spec.schemas.flatten(operation.resource);
  const requirement = resource?.["x-requirements"]?.fields;
  const names = Object.entries(resource?.properties ?? {})
    .filter(([, child]) => spec.schemas.flatten(child)["x-null-echo"])
    .map(([name]) => name);
  if (requirement === undefined || names.length === 0) return [];
  return [
    check({
      suite: SUITE,
      requirement,
      operation,
      detail: "null that was not sent",
      title: `${operation.key} shows no null for ${names.join(" and ")} unless null was sent`,
      stage: "write",
      writes: true,
      async run(target) {
        for (const extent of ["minimal", "full"] as const) {
          const sent = await validBody(target, operation, extent);
          const answer = await createWith(target, operation, usualVersion(target, operation), sent);
          const wrong = names.find((name) => sent[name] !== null && resourceOf(answer)?.[name] === null);
          if (wrong !== undefined)
            throw new Violation(`no null for ${wrong}: none was sent`, "null", [
              { ...answer.exchange, offending: `/result/${wrong}` },
            ]);
        }
      },
    }),
  ];
}

/** Values that the caller does not choose: recorded. */
function initialNotes(spec: Spec, operation: Operation): Check[] {
  const note = (requirement: string, title: string, run: (target: Target) => Promise<void>): Check =>
    check({ suite: SUITE, requirement, operation, title, stage: "write", writes: true, run });
  const properties = Object.entries(
    (operation.resource && spec.schemas.flatten(operation.resource).properties) ?? {},
  );
  const initial = properties.flatMap(([name, child]) => {
    const requirement = spec.schemas.flatten(child)["x-initial"];
    return requirement ? [{ name, requirement }] : [];
  });
  return [
    ...initial.map(({ name, requirement }) =>
      note(requirement, `${name} of what ${operation.key} makes`, async (target) => {
        const answer = await control(target, operation, usualVersion(target, operation));
        const shown = describeValue(resourceOf(answer)?.[name]);
        target.observe(requirement, operation.key, name, shown.replace(/"[A-Z]{3}"/g, '"its currency"'));
      }),
    ),
  ];
}

/** Before anything reads lists: enough items to page through, each of them shown by its list. */
function prepareCheck(operation: Operation, list: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "CREATE-LISTED",
    operation,
    detail: "several",
    title: `what ${operation.key} makes is in ${list.key}, several of them`,
    stage: "prepare",
    writes: true,
    async run(target) {
      await ensureItems(target, list);
      await makeReadable(target, operation);
      await mustBeListed(
        target,
        operation,
        list,
        await control(target, operation, usualVersion(target, operation)),
      );
    },
  });
}

/** What others read of what this makes, made before anything reads: later it would move the list. */
async function makeReadable(target: Target, create: Operation): Promise<void> {
  for (const reader of operationsOf(target.spec, "list", "read")) {
    const own = reader.pathParameter?.madeBy === create.id;
    const within = reader.outer.some(({ madeBy }) => madeBy === create.id);
    if (!own && !within) continue;
    await (own ? subjectOf(target, reader, "read") : outerPath(target, reader)).catch((error: unknown) => {
      if (!(error instanceof Untestable)) throw error;
    });
  }
}

async function mustBeListed(
  target: Target,
  operation: Operation,
  list: Operation,
  answer: Answer,
): Promise<JsonObject> {
  const made = createdResource(target, operation, answer);
  const id = String(made[identityOf(target.spec, operation)]);
  const item = await findInList(target, list, id);
  if (!item) throw new Violation(`${id} in ${list.key}`, "not there", [answer.exchange]);
  return item;
}

function listedChecks(spec: Spec, operation: Operation, body: Schema, list: Operation): Check[] {
  const sketch = { suite: SUITE, operation, stage: "write", writes: true } as const;
  const listedCopy = async (target: Target, change = (valid: JsonObject) => valid) => {
    const sent = change(await validBody(target, operation, "full"));
    const answer = await createWith(target, operation, usualVersion(target, operation), sent);
    return { sent, answer, item: await mustBeListed(target, operation, list, answer) };
  };
  return [
    check({
      ...sketch,
      requirement: "CREATE-LISTED",
      title: `what ${operation.key} makes is in ${list.key}`,
      async run(target) {
        await target.once(`listed copy ${operation.id}`, () => listedCopy(target));
      },
    }),
    check({
      ...sketch,
      requirement: "CREATE-ECHO",
      detail: "in the list",
      title: `${list.key} shows what was sent to ${operation.key}`,
      async run(target) {
        // Texts near their limits too: a column of a list may be narrower than the field.
        const [longest] = awkwardSamples(spec, body).map(plainTwin);
        const copies = [
          () => target.once(`listed copy ${operation.id}`, () => listedCopy(target)),
          ...(longest ? [() => listedCopy(target, (valid) => withAwkwardParts(target, valid, longest))] : []),
        ];
        for (const [index, make] of copies.entries()) {
          const copy = await make().catch((error: unknown) => {
            if (error instanceof Violation)
              throw new Untestable("control-rejected", "the created resource is not in the list");
            // Whether a long text is accepted is for others to say.
            if (index > 0 && error instanceof Untestable) return undefined;
            throw error;
          });
          if (copy === undefined) continue;
          const faults = await echoFaults(target, operation, copy.sent, copy.item, list);
          if (faults.length === 0) continue;
          const { expected, actual } = describeDifferences(faults);
          throw new Violation(`in the list: ${expected}`, actual, [copy.answer.exchange]);
        }
      },
    }),
  ];
}

/** A rejected call leaves nothing behind: neither in the list, nor in the way of the same value sent rightly. */
function noEffectChecks(
  spec: Spec,
  operation: Operation,
  body: Schema,
  list: Operation | undefined,
): Check[] {
  const unique = uniqueFields(spec, body);
  const text = markedField(spec, operation);
  const sketch = { suite: SUITE, operation, stage: "write", writes: true } as const;
  const causes: {
    requirement: string;
    detail: string;
    title: string;
    send: (target: Target, valid: JsonObject) => Promise<Answer[]>;
  }[] = [
    {
      requirement: "CREATE-NO-EFFECT",
      detail: "broken bodies",
      title: `a rejected ${operation.key} leaves nothing behind`,
      send: (target, valid) => sendBroken(target, operation, body, valid),
    },
    {
      requirement: "AUTH-NO-EFFECT",
      detail: "created",
      title: `${operation.key} without authentication creates nothing`,
      send: (target, valid) => sendUnauthenticated(target, operation, valid),
    },
  ];
  return causes.flatMap((cause) => [
    ...(list && text
      ? [
          check({
            ...sketch,
            requirement: cause.requirement,
            detail: `${cause.detail}, by the list`,
            title: cause.title,
            async run(target) {
              await control(target, operation, usualVersion(target, operation));
              const valid = await validBody(target, operation, "full");
              const answers = await cause.send(target, valid);
              if (answers.length === 0)
                throw new Untestable("no-data", "nothing was rejected, so nothing can be left behind");
              await mustNotBeListed(target, list, text, valid[text], answers);
            },
          }),
        ]
      : []),
    ...unique.map((name) =>
      check({
        ...sketch,
        requirement: cause.requirement,
        detail: `${cause.detail}, by ${name}`,
        title: cause.title,
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const valid = await validBody(target, operation, "full");
          const answers = await cause.send(target, valid);
          if (answers.length === 0)
            throw new Untestable("no-data", "nothing was rejected, so nothing can be left behind");
          const answer = await sendBody(target, withBody(requestTo(operation, version), valid));
          if (isRejected(answer)) {
            throw new Violation(
              `${name} ${describeValue(valid[name])} to be free after the call with it was rejected`,
              `status ${answer.status}`,
              [...answers.slice(-1).map((earlier) => earlier.exchange), answer.exchange],
            );
          }
        },
      }),
    ),
  ]);
}

/** The fields of a body whose value must be unique in the space. */
export function uniqueFields(spec: Spec, body: Schema): string[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .filter(([, child]) => spec.schemas.flatten(child)["x-unique"]?.scope === "space")
    .map(([name]) => name);
}

/** The valid body with one fault, for every place that has a rule; the answers that were rejections. */
async function sendBroken(
  target: Target,
  operation: Operation,
  body: Schema,
  valid: JsonObject,
): Promise<Answer[]> {
  const supply = await supplyFor(target, body);
  const unique = new Set(uniqueFields(target.spec, body));
  const kept = new Set(target.spec.schemas.flatten(body).required ?? []);
  const places = new Set<string>();
  const rejected: Answer[] = [];
  for (const violation of bodyViolations(body, supply)) {
    const [, name = ""] = violation.pointer.split("/");
    // The value that is looked for afterwards has to be in the broken body as well.
    const place = `${violation.pointer} ${violation.constraint}`;
    if (places.has(place) || unique.has(name) || (kept.has(name) && name !== [...kept].at(-1))) continue;
    if (!isConfirmed(violation, valid, body, supply)) continue;
    places.add(place);
    const answer = await target.send(
      withBody(requestTo(operation, usualVersion(target, operation)), violation.breaking(valid)),
      { role: "rejected" },
    );
    if (isRejected(answer)) rejected.push(answer);
    else if (isAccepted(answer)) return [];
  }
  for (const headers of refusedHeaders(operation)) {
    const plan = withHeaders(withBody(requestTo(operation, usualVersion(target, operation)), valid), headers);
    const answer = await target.send(plan, { role: "rejected" });
    if (isRejected(answer)) rejected.push(answer);
    else if (isAccepted(answer)) return [];
  }
  return rejected;
}

async function sendUnauthenticated(
  target: Target,
  operation: Operation,
  valid: JsonObject,
): Promise<Answer[]> {
  const rejected: Answer[] = [];
  for (const authorization of [null, `Bearer conformance-unknown-${target.runId}`]) {
    const plan = withHeaders(withBody(requestTo(operation, usualVersion(target, operation)), valid), {
      authorization,
    });
    const answer = await target.send(
      { ...plan, authorizationLabel: "an unknown token" },
      { role: "rejected" },
    );
    if (isRejected(answer)) rejected.push(answer);
    else if (isAccepted(answer)) return [];
  }
  return rejected;
}

async function mustNotBeListed(
  target: Target,
  list: Operation,
  name: string,
  value: unknown,
  answers: Answer[],
): Promise<void> {
  await target.pause(Math.min(target.settings.visibilityDelay, 300));
  const limit = list.list?.limit?.schema.maximum;
  const reading = await readPages(target, list, {
    version: usualVersion(target, list),
    limit,
    mostPages: PAGES_TO_MISS,
  });
  for (const page of reading.answers) {
    const left = itemsOf(page).find((item) => item[name] === value);
    if (left) {
      throw new Violation("nothing left of the rejected call", `${describeValue(left)} in the list`, [
        ...answers.slice(-1).map((answer) => answer.exchange),
        page.exchange,
      ]);
    }
  }
  if (!reading.complete) throw new Untestable("budget", `${list.key} is too long to search`);
}
