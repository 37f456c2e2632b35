import { proxyFor } from "../../client/sending/network.ts";
import type { Answer } from "../../client/target.ts";
import { visible } from "../../reports/text.ts";
import { isObject } from "../../spec/json.ts";
import type { Settings } from "../../spec/model/settings.ts";

const MAX_WORDS = 200;

/** The likeliest member for a message comes first. */
const MESSAGE_MEMBERS = [
  "messages",
  "message",
  "error_description",
  "detail",
  "errors",
  "error",
  "description",
  "text",
  "title",
];

/** Returns the message of an error, or an empty text. */
export function serviceMessage(answer: Answer): string {
  const said = messageIn(answer.json) ?? textOf(answer.text);
  const text = said.replace(/\s+/g, " ").trim();
  if (text === "") return "";
  const short = text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
  return ` The service says: "${visible(short)}".`;
}

/** Returns the text that an error body has for people, or `undefined` if no known member holds one. */
function messageIn(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (Array.isArray(value)) {
    const all = value.flatMap((each) => messageIn(each) ?? []);
    return all.length > 0 ? all.join("; ") : undefined;
  }
  if (!isObject(value)) return undefined;
  return MESSAGE_MEMBERS.map((name) => messageIn(value[name])).find((found) => found !== undefined);
}

function textOf(text: string): string {
  const [, title = ""] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  if (title.trim() !== "") return title;
  return text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");
}

/** True for a page for browsers. */
export function isPage({ headers, text }: Pick<Answer, "headers" | "text">): boolean {
  return /html/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype html|html)/i.test(text);
}

/** Returns why the service can't be reached, and what to try. */
export function noAnswerMessage(settings: Settings, asked: { reason: string; message: string }): string {
  const { baseUrl } = settings;
  const why = asked.message.replace(/^[A-Z]+ \S+: /, "").replace(/\s+/g, " ");
  if (asked.reason === "rate-limited")
    return `the service keeps answering 429 (too many requests). Wait, or run with a lower --rate.`;
  if (asked.reason !== "no-answer") return `${baseUrl} can't be asked (${asked.reason}): ${asked.message}`;
  const proxy = proxyOf(settings);
  if (proxy === undefined) return `no answer from ${baseUrl}: ${why}. ${remedyFor(why, settings)}`;
  return `no answer from ${baseUrl} ${throughProxy(proxy)}: ${why}. ${proxyRemedyFor(why, proxy) ?? remedyFor(why, settings)}`;
}

type Proxy = NonNullable<ReturnType<typeof proxyFor>>;

function proxyOf({ baseUrl, embedded }: Settings): Proxy | undefined {
  return embedded ? undefined : proxyFor(baseUrl);
}

function throughProxy({ address, variable }: Proxy): string {
  return `through the proxy ${address} (${variable})`;
}

/** Suggests a remedy for an error of the proxy, or returns `undefined` for other errors. */
function proxyRemedyFor(why: string, { address, variable }: Proxy): string | undefined {
  // undici has other words for tunnels than for plain HTTP.
  const [, status] = /Proxy (?:response|Authentication Required) \((\d+)\)/.exec(why) ?? [];
  if (status === "407")
    return `The proxy asks for a user name and password: ${variable}=http://USER:PASSWORD@HOST:PORT.`;
  if (status !== undefined)
    return `The proxy answered ${status} and opens no tunnel: does it allow this host and port? NO_PROXY leaves it out.`;
  const { hostname, port } = new URL(address);
  if (why.includes(`ECONNREFUSED ${hostname}:${port}`))
    return `The proxy does not listen: is ${variable} right? NO_PROXY leaves it out.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(why) && why.includes(hostname))
    return `The name of the proxy is not known: is ${variable} right?`;
  return undefined;
}

/** Returns a sentence that names the proxy, or an empty text. */
export function proxyRemark(settings: Settings): string {
  const proxy = proxyOf(settings);
  return proxy === undefined ? "" : ` It was asked ${throughProxy(proxy)}.`;
}

function remedyFor(why: string, { timeout }: Settings): string {
  if (/ECONNREFUSED/.test(why)) return "Nobody listens there: is the service running, and is the port right?";
  if (/ENOTFOUND|EAI_AGAIN/.test(why))
    return "The name is not known: is the host of --base-url spelled right?";
  if (/no answer within/.test(why))
    return `It takes longer than ${timeout} ms: is it reachable from here? --timeout waits longer.`;
  if (/certificate required|handshake failure|bad certificate/i.test(why))
    return "It asks for a client certificate: give --client-cert and --client-key.";
  if (/certificate|self.signed|altname|issuer|expired/i.test(why))
    return "Its certificate is not trusted here: give its authority with --ca FILE, or the name it was made out to.";
  if (/not HTTP/.test(why)) return "Something else listens there: is the port of --base-url right?";
  return "Is the address right, and does it take http:// or https://?";
}

/** True if the error says that the service has HTTP where HTTPS was asked for. */
export function speaksNoTls(why: string): boolean {
  return /wrong version number|EPROTO|packet length too long|SSL routines|http request|unknown protocol/i.test(
    why,
  );
}

/** Returns the milliseconds by which the service is ahead, or 0 without a Date header. */
export function clockOffset({ headers }: Pick<Answer, "headers">, now: number): number {
  const date = Date.parse(headers.date ?? "");
  if (Number.isNaN(date)) return 0;
  const age = Number(headers.age ?? 0);
  return date + (Number.isFinite(age) ? age * 1000 : 0) - now;
}
