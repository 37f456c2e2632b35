import { validRequests } from "../../history/answers/acceptances.ts";
import {
  type Entry,
  isAccepted,
  isBetween,
  isOrdinary,
  isWrite,
  responseJson,
  statusOf,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isObject, jsonType } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { pathPrefixes } from "../../spec/path-readings.ts";
import { allowedVersions } from "../../spec/versions.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { noteRule, statusesSeen } from "../shared/note-rule.ts";
import { onOtherPath, requestsUnderEachVersion, underEmptyVersion } from "./probes.ts";

/** Creates would leave resources behind, so they are left out. */
export const spelling = noteRule({
  requirement: "VERSION-SPELLING",
  notes: "emptyVersion",
  targets: (spec) =>
    spec.operations
      .filter(({ kind, version }) => version && (kind === "list" || kind === "read" || kind === "update"))
      .map((operation) => ({ operation })),
  title: ({ operation }) => `how ${operation.key} treats an empty version`,
  sampledGroup: ({ operation }) => operation.kind,
  probes: ({ operation }) => [underEmptyVersion(operation)],
  seen(history, { operation }) {
    const sent = history.answers.to(operation);
    return statusesSeen(sent.filter(({ entry }) => entry.version === "" && isOrdinary(entry, history.head)));
  },
  unseen: "no request had an empty version",
});

export const absent = noteRule({
  requirement: "VERSION-DEFAULT",
  notes: "defaultVersion",
  targets: (spec) =>
    operationsOf(spec, "list", "read")
      .filter(({ version }) => version && !version.required)
      .map((operation) => ({ operation, versions: allowedVersions(spec, operation) }))
      .filter(({ versions }) => versions.length > 1),
  title: ({ operation }) => `the version that ${operation.key} uses without the header`,
  probes: ({ operation }) => [requestsUnderEachVersion(operation)],
  seen(history, { operation, versions }) {
    const writes = history.entries.filter((entry) => isWrite(entry) && isAccepted(entry));
    const sent = validRequests(history, operation).map(({ entry }) => entry);
    const under = (version: string, absent: Entry) =>
      sent.find(
        (other) =>
          other.version === version &&
          other.request.url === absent.request.url &&
          !writes.some((write) => mayComeBetween(write, other, absent)),
      );
    const absent = sent.find(
      (entry) => entry.version === null && versions.every((version) => under(version, entry)),
    );
    if (!absent) return [];
    const shape = (entry?: Entry) => JSON.stringify(shapeOf(entry && responseJson(entry)));
    const names = versions.filter((version) => shape(under(version, absent)) === shape(absent));
    return [{ answer: { names, all: names.length === versions.length }, shownBy: absent }];
  },
  unseen: "no request was sent under each version",
});

/** True if the write may have changed one read and not the other. */
function mayComeBetween(write: Entry, one: Entry, other: Entry): boolean {
  const [first, second] = one.begun < other.begun ? [one, other] : [other, one];
  return isBetween(write, first, second);
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (!isObject(value)) return jsonType(value);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, shapeOf(value[name])]));
}

interface OtherPath extends RuleTarget {
  other: string;
}

export const paths = noteRule({
  requirement: "PATHS-OTHER",
  notes: "paths",
  targets: otherForms,
  title: ({ operation, other }) => `whether ${operation.key} also answers on ${other}`,
  probes: ({ operation, other }) => [onOtherPath(operation, other)],
  seen: (history, at) =>
    history.entries
      .filter((entry) => isOnOther(history, entry, at))
      .map((entry) => ({ tried: at.other, answer: { status: statusOf(entry) ?? 0 }, shownBy: entry })),
  unseen: "no request was sent to it",
});

/** Returns the paths of the API's other spellings that the run does not use. */
function otherForms(spec: Spec): OtherPath[] {
  return operationsOf(spec, "list", "read").flatMap((operation) =>
    pathPrefixes(spec).map((prefix) => {
      const { path } = operation;
      const other = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : `${prefix}${path}`;
      return { operation, other, detail: other };
    }),
  );
}

function isOnOther({ head }: History, entry: Entry, { operation, other }: OtherPath): boolean {
  const { method, url } = entry.request;
  const isAnswered = entry.operation === null && method === "GET" && statusOf(entry) !== undefined;
  const path = operation.path.length < other.length ? operation.path : other;
  return isAnswered && isOrdinary(entry, head) && endsWith(url, path);
}

function endsWith(url: string, path: string): boolean {
  const { pathname } = new URL(url, "http://localhost");
  const parts = path.split("/").slice(1);
  const ending = pathname.split("/").slice(-parts.length);
  return parts.every((part, index) => part.startsWith("{") || part === ending[index]);
}
