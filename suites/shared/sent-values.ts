import { ATTACK_TEXTS } from "../../generators/text.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isOpenValue } from "../../history/journal/field-values.ts";
import { type Violation, violationBy } from "../../history/result.ts";
import { type Difference, describeDifferences, echoDifferences } from "../../history/values/differences.ts";
import { textsIn } from "../../history/values/tags.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { freeMaps, freeTextFields } from "./echo.ts";

interface SentAndShown {
  operation: Operation;
  sent: JsonObject;
  shown: JsonObject;
}

/** Returns a proven violation if sent values are not shown. The first entry sent them. */
export function unshown(
  history: History,
  at: SentAndShown,
  entries: [sender: Entry, ...pages: Entry[]],
  by = at.operation,
): Violation[] {
  return violationOf(echoDifferencesOf(history, at, by), entries);
}

export function isShown(history: History, at: SentAndShown): boolean {
  return echoDifferencesOf(history, at, at.operation).length === 0;
}

/** Finds lists in another order and mail addresses in another letter case. */
export function respelledValues(history: History, at: SentAndShown, sender: Entry): Violation[] {
  const lacking = new Set(echoDifferencesOf(history, at, at.operation).map(({ pointer }) => pointer));
  const exact = echoDifferencesOf(history, at, at.operation, { exact: true });
  return violationOf(
    exact.filter(({ pointer }) => !lacking.has(pointer)),
    [sender],
  );
}

/** Returns the differences between the sent values and the values that the operation `by` shows. Lists may have another order. */
export function echoDifferencesOf(
  history: History,
  { operation, sent, shown }: SentAndShown,
  by: Operation,
  { exact = false } = {},
): Difference[] {
  return echoDifferences(sent, shown, {
    schemas: history.spec.schemas,
    sentSchema: operation.body ?? {},
    shownSchema: by.resource ?? {},
    resolveReference: history.references(operation.body ?? {}),
    exact,
  });
}

function violationOf(found: Difference[], [sender, ...pages]: [Entry, ...Entry[]]): Violation[] {
  if (found.length === 0) return [];
  const wrong = { entry: sender, offending: `/result${found[0]?.pointer ?? ""}` };
  return [
    violationBy("proven", describeDifferences(found), ...(pages.length === 0 ? [wrong] : [sender, ...pages])),
  ];
}

/** Texts that neither services nor firewalls reject. */
const ORDINARY = /^[\w .:/?&=@+"{}[\],-]*$/;

/** True for a value whose texts no service or firewall rejects. */
export function isOrdinaryJson(value: unknown): boolean {
  return ORDINARY.test(JSON.stringify(value));
}

const BEGINNING_LENGTH = 8;

/** True for the beginning of an SQL or script injection, which a firewall may reject. */
export function looksLikeAttack(text: string, attacks = ATTACK_TEXTS): boolean {
  return attacks.some((attack) => text.includes(attack.text.slice(0, BEGINNING_LENGTH)));
}

/** True if a service must accept the text, but may handle its characters badly. */
export function isUnusual(text: string): boolean {
  return !ORDINARY.test(text) && !looksLikeAttack(text);
}

/** Returns the fields with a meant text, except fields that a service may show in another form. */
export function fieldsWithText(
  spec: Spec,
  { body = {} }: Operation,
  sent: JsonObject,
  isMeant: (text: string) => boolean,
): string[] {
  const names = [...freeTextFields(spec, body).map(([name]) => name), ...freeMaps(spec, body)];
  return names.filter(
    (name) => textsIn(sent[name]).some(isMeant) && !isOpenValue(spec, body, name, sent[name]),
  );
}

/** True if `plain` is ordinary and not shorter in bytes, so length does not explain a rejection of `sent`. */
export function isPlainTwin(plain: JsonObject, sent: JsonObject, fields: readonly string[]): boolean {
  const bytes = (value: unknown) =>
    textsIn(value).reduce((sum, text) => sum + Buffer.byteLength(text, "utf8"), 0);
  return fields.every(
    (name) => textsIn(plain[name]).every(isOrdinaryJson) && bytes(plain[name]) >= bytes(sent[name]),
  );
}
