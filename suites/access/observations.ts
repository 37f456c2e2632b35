import { MISSING } from "../../generators/credentials.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { type Entry, header } from "../../history/entry.ts";
import { isObject } from "../../spec/json.ts";
import { noteRule, type Seen } from "../shared/note-rule.ts";
import { requestsWithoutToken } from "./probes.ts";
import { withToken } from "./targets.ts";

function observationRule<P extends "rejection" | "challenge" | "errorBody">(
  requirement: string,
  notes: P,
  what: string,
  seenIn: (answer: Answer) => Omit<Seen<P>, "shownBy">,
) {
  return noteRule({
    requirement,
    notes,
    targets: withToken,
    title: ({ operation }) => `${what} with which ${operation.key} rejects a call without Authorization`,
    probes: ({ operation }) => [requestsWithoutToken(operation)],
    seen: (history, { operation }) =>
      history
        .answersOfRound(operation)
        .filter(({ entry }) => entry.credential.kind === "none")
        .slice(0, 1)
        .map((answer) => ({ ...seenIn(answer), shownBy: answer.entry })),
    unseen: "no request without Authorization was answered",
  });
}

export const observations = [
  observationRule("REJECTION-STATUS", "rejection", "the status", ({ status }) => ({
    tried: MISSING.title,
    answer: { status },
  })),
  observationRule("REJECTION-CHALLENGE", "challenge", "the WWW-Authenticate header", ({ status, entry }) => ({
    answer: { status, scheme: headerOf(entry, "www-authenticate")?.split(" ")[0] ?? "none" },
  })),
  observationRule("SILENCE-ERROR-BODY", "errorBody", "the body", ({ entry, json }) => ({
    answer: { word: bodyForm(entry, json) },
  })),
];

function bodyForm(entry: Entry, json: unknown): string {
  const { response } = entry;
  if (!("body" in response) || response.body.text === "") return "empty";
  const type = headerOf(entry, "content-type")?.split(";")[0] ?? "no content type";
  return `${type}${isObject(json) ? ` {${Object.keys(json).sort().join(", ")}}` : ""}`;
}

function headerOf({ response }: Entry, name: string): string | undefined {
  return "headers" in response ? header(response.headers, name) : undefined;
}
