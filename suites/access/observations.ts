import { MISSING } from "../../generators/credentials.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { type Entry, header } from "../../history/entry.ts";
import { notExercised } from "../../history/result.ts";
import { isObject } from "../../spec/json.ts";
import type { Note } from "../../spec/model/note.ts";
import { historyRule } from "../shared/history-rule.ts";
import { requestsWithoutToken } from "./probes.ts";
import { withToken } from "./targets.ts";

const NOTES: Record<string, { what: string; noteOf(answer: Answer): Note }> = {
  "REJECTION-STATUS": {
    what: "the status",
    noteOf: ({ operation, status }) => ({
      requirement: "REJECTION-STATUS",
      operation: operation.key,
      behaviour: "rejection",
      tried: MISSING.title,
      answer: { status },
    }),
  },
  "REJECTION-CHALLENGE": {
    what: "the WWW-Authenticate header",
    noteOf: ({ operation, entry, status }) => ({
      requirement: "REJECTION-CHALLENGE",
      operation: operation.key,
      behaviour: "challenge",
      answer: { status, scheme: headerOf(entry, "www-authenticate")?.split(" ")[0] ?? "none" },
    }),
  },
  "SILENCE-ERROR-BODY": {
    what: "the body",
    noteOf: ({ operation, entry, json }) => ({
      requirement: "SILENCE-ERROR-BODY",
      operation: operation.key,
      behaviour: "errorBody",
      answer: { word: bodyForm(entry, json) },
    }),
  },
};

export const observations = Object.entries(NOTES).map(([requirement, { what, noteOf }]) =>
  historyRule({
    requirement,
    targets: withToken,
    title: ({ operation }) => `${what} with which ${operation.key} rejects a call without Authorization`,
    probes: ({ operation }) => [requestsWithoutToken(operation)],
    check(history, { operation }) {
      const answer = history.answersOfRound(operation).find(({ entry }) => entry.credential.kind === "none");
      if (!answer) return notExercised("no-data", "no request without Authorization was answered");
      return { outcome: "noted", notes: [noteOf(answer)], evidence: [answer.entry] };
    },
  }),
);

function bodyForm(entry: Entry, json: unknown): string {
  const { response } = entry;
  if (!("body" in response) || response.body.text === "") return "empty";
  const type = headerOf(entry, "content-type")?.split(";")[0] ?? "no content type";
  return `${type}${isObject(json) ? ` {${Object.keys(json).sort().join(", ")}}` : ""}`;
}

function headerOf({ response }: Entry, name: string): string | undefined {
  return "headers" in response ? header(response.headers, name) : undefined;
}
