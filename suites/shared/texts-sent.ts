import { ATTACK_TEXTS } from "../../generators/text.ts";
import { isOpenValue } from "../../history/journal/field-values.ts";
import { textsIn } from "../../history/values/tags.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { freeMaps, freeTextFields } from "./echo.ts";

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

/** Returns the fields with such a text, without those that a service may show in another form. */
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
