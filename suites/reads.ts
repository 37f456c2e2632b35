/**
 * Single reads (sections 4.4 to 4.13): an existing resource is found, as the list shows it, and reading changes
 * nothing.
 */

import { Untestable } from "../client/check.ts";
import { isAccepted, isRejected, resourceOf } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, SameRecord, Spec } from "../spec/model/spec.ts";
import { knownPath, listedAgain, recordReads } from "../trials/listed-records.ts";
import { mustAgreeAfresh, mustStillBeListed, readAfresh } from "../trials/reads-afresh.ts";
import { mustReadTheSame } from "../trials/repeated-reads.ts";
import { judges, operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";
import { recordDifferences, requirementsOf } from "../trials/same-record.ts";

/** A read by one of the fields that its path accepts; none if no list shows the resource. */
interface ByField extends Place {
  field?: string;
}

/** A read of a list's item, by one of the fields that its path accepts. */
interface OfList extends Place {
  field: string;
  list: Operation;
  requirement: string;
}

function byEachField(spec: Spec): ByField[] {
  return operationsOf(spec, "read").flatMap((operation) =>
    operation.sameRecord
      ? operation.sameRecord.by.map((field) => ({ operation, field, detail: `by ${field}` }))
      : [{ operation }],
  );
}

function ofLists(spec: Spec, at: (same: SameRecord) => { requirement: string; more?: string }[]): OfList[] {
  return operationsOf(spec, "read").flatMap((operation) => {
    const { sameRecord } = operation;
    if (!sameRecord) return [];
    const list = operationById(spec, sameRecord.list);
    return sameRecord.by.flatMap((field) =>
      at(sameRecord).map(({ requirement, more = "" }) => ({
        operation,
        field,
        list,
        requirement,
        detail: `by ${field}${more}`,
      })),
    );
  });
}

const accepted = rule({
  requirement: "READ-ACCEPTED",
  over: byEachField,
  title: ({ operation, field }) =>
    `${operation.key} reads a resource${field === undefined ? "" : ` by its ${field}`}`,
  versions: "each",
  async run(call, { operation, field }) {
    await call.versionAccepted();
    const plan = await call.valid();
    const path = field === undefined ? plan.path : await knownPath(call, field);
    const answer = await call.ask(path === undefined ? plan : { ...plan, path });
    if (isRejected(answer) && field !== undefined && path !== undefined)
      await mustStillBeListed(call, field, path);
    call.mustServe(answer, `a read of ${path ?? operation.path}`);
  },
});

const listedAccepted = judges({
  requirement: "READ-ACCEPTED",
  over: (spec) => ofLists(spec, () => [{ requirement: "READ-ACCEPTED", more: ", what the list shows" }]),
  title: ({ operation, field, list }) => `${operation.key} finds every item of ${list.key} by its ${field}`,
  versions: "rotated",
  draw: "records",
  async story(call, { field }) {
    await call.versionAccepted();
    return recordReads(call, field);
  },
  async look(reads, _at, call) {
    if (reads.every(({ answer }) => isAccepted(answer) && !resourceOf(answer)))
      throw new Untestable("no-data", "what is read shows nothing");
    for (const { listed, path, answer } of reads) {
      if (!isRejected(answer)) continue;
      // It may have gone since the list was read.
      const still = await listedAgain(call.target, listed);
      const again = await readAfresh(call, path);
      if (still && isRejected(again)) call.mustAccept(again, `a read of ${path}, which the list shows,`);
    }
  },
});

const sameRecord = judges({
  over: (spec) => ofLists(spec, (same) => requirementsOf(same).map((requirement) => ({ requirement }))),
  title: ({ operation, field, list, requirement }) =>
    requirement === operation.sameRecord?.requirement
      ? `${operation.key} by ${field} shows the same record as ${list.key}`
      : `${operation.key} by ${field} shows the same details as ${list.key} (${requirement})`,
  versions: "rotated",
  draw: "records",
  story: (call, { field }) => recordReads(call, field),
  async look(reads, { requirement }, call) {
    const { spec } = call.target;
    const differing = reads.filter(
      ({ listed, answer }) =>
        recordDifferences(spec, call.operation, listed.item, answer, requirement).length > 0,
    );
    for (const read of differing) await mustAgreeAfresh(call, read, requirement);
    if (!reads.some(({ answer }) => isAccepted(answer) && resourceOf(answer)))
      throw new Untestable("no-data", "no record that the list shows was read");
  },
});

const stable = rule({
  requirement: "READ-STABLE",
  over: (spec) => operationsOf(spec, "read", "list").map((operation) => ({ operation })),
  title: ({ operation }) =>
    `${operation.key} shows the same when read again${operation.sameRecord ? ", and so does the list" : ""}`,
  stage: "repeat",
  versions: "closely",
  // If reading changes something under another version only, it does so at all operations of a kind.
  group: ({ operation }) => `${operation.kind}${operation.space ? " in a space" : ""} under another version`,
  run: mustReadTheSame,
});

const casing = rule({
  requirement: "READ-SPELLING",
  notes: "idsInOtherCasing",
  over: (spec) =>
    operationsOf(spec, "read").flatMap((operation) => (operation.sameRecord ? [{ operation }] : [])),
  title: ({ operation }) => `how ${operation.key} treats a known id or code in other casing`,
  async run(call) {
    const { target, operation, version } = call;
    for (const field of operation.sameRecord?.by ?? []) {
      const known = await knownPath(call, field);
      const other = known === known.toUpperCase() ? known.toLowerCase() : known.toUpperCase();
      if (other === known) continue;
      const answer = await target.send({ ...requestTo(operation, version), path: other });
      call.note("READ-SPELLING", "idsInOtherCasing", { status: answer.status }, { field });
    }
  },
});

export const readChecks = suiteOf("reads", accepted, listedAccepted, sameRecord);

/** Reads in other spellings, and repeated reads. */
export const readsAgain = suiteOf("reads", casing, stable);
