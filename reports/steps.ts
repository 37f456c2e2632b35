import { decisiveExchange } from "./exchange.ts";
import type { CheckResult, Exchange } from "./report.ts";
import { shown } from "./text.ts";

const MOST_STEPS = 12;
const MAX_METHOD = 20;
const MAX_PATH = 80;
const MAX_BODY = 90;

/** Returns texts like `PATCH /webhooks/w1 {"name":"b"} 200`. */
export function stepsBefore(check: Pick<CheckResult, "evidence">): string[] {
  const shows = decisiveExchange(check);
  const before = shows === undefined ? [] : check.evidence.slice(0, check.evidence.lastIndexOf(shows));
  const left = before.length - MOST_STEPS;
  const lines = before.slice(-MOST_STEPS).map(stepInWords);
  return left > 0 ? [`${left} more before`, ...lines] : lines;
}

function stepInWords({ request, response }: Exchange): string {
  const body = request.body === null ? [] : [shown(request.body, MAX_BODY)];
  const status = response === undefined ? "no answer" : String(response.status);
  return [shown(request.method, MAX_METHOD), shown(pathOf(request.url), MAX_PATH), ...body, status].join(" ");
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
