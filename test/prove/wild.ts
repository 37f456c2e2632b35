/**
 * Behaviour of typical services that conform. The proof runs the variants with such behaviour at both depths.
 */

/** Names of variants by the behaviour of a typical service. */
export const WILD: Readonly<Record<string, readonly string[]>> = {
  "a gateway answers 502, 503 or 504 now and then": [
    ...["gateway-502-now-and-then", "gateway-503-with-retry-after", "gateway-504-now-and-then"],
  ],
  "a 500 that an equal request does not get": ["fault-500-now-and-then"],
  "501 on an operation that is only named": ["named-only-not-implemented"],
  "a quota of webhooks or accounts": ["quota-of-twenty-and-forty", "quota-of-webhooks"],
  "a space for one currency, which nobody names": ["one-currency-a-space"],
  "a firewall refuses markup and SQL": ["firewall-refuses-markup"],
  "mail domains are checked, and private hosts refused": [
    ...["mail-domains-checked", "mail-domains-checked-none-given", "private-hosts-refused"],
  ],
  "expireTime lies some days ahead at most": ["expiry-within-three-days"],
  "providers have to be active, able to pay and of one kind": ["providers-that-can-pay"],
  "texts, names of headers, addresses and attributes are tidied": [
    ...["texts-trimmed", "header-names-canonical", "mail-addresses-in-lower-case", "metadata-made-text"],
  ],
  "null is taken as absent": ["null-optional-is-absent", "null-body-is-empty"],
  "single reads come from a replica": ["single-reads-late", "single-reads-late-nearly-too-long"],
  "one webhook for a url": ["one-webhook-per-url", "one-webhook-per-url-none-given"],
  "a collation takes no notice of blanks or case": ["ids-compared-by-the-database"],
  "others come to the callback address": [
    ...["scanners-at-the-callback-address", "deliveries-of-older-runs", "addresses-shake-hands"],
  ],
  "old names of events are refused": ["old-event-names-refused"],
  "currencies that no list has yet": ["currencies-of-tomorrow"],
  "short pages, and cursors that nobody signs": ["short-pages", "unknown-cursor-is-the-start"],
  "a list nearly as late as it may be": ["created-and-updated-webhooks-listed-late"],
  "values that move by themselves, and a cache": ["values-move-by-themselves", "cache-of-a-second"],
  "a quota that checks of access meet": ["quota-of-three-each"],
  "a quota of active webhooks": ["quota-of-two-active-webhooks", "quota-of-five-active-webhooks"],
  "a moment of rest between two updates": ["updates-take-a-rest"],
  "a restart in the midst of it": ["restarted-in-the-midst"],
  "copies that do not all know the same": ["created-now-and-then-late", "single-reads-now-and-then-late"],
};

const names = new Set(Object.values(WILD).flat());

export function isWild({ name }: { readonly name: string }): boolean {
  return names.has(name);
}
