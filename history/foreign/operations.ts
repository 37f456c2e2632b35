import { addTo } from "../../spec/grouped.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { targetPath } from "../../spec/path-readings.ts";

export interface Called {
  operation: Operation;
  path: Record<string, string>;
  base: string;
}

interface Template {
  operation: Operation;
  parts: string[];
}

export class Operations {
  readonly #byMethod = new Map<string, Template[]>();

  constructor(spec: Spec, paths: string) {
    for (const operation of spec.operations) {
      const whole = targetPath(operation.path, paths, spec);
      addTo(this.#byMethod, operation.method, { operation, parts: whole.slice(1).split("/") });
    }
    const rank = ({ parts }: Template) => parts.filter((part) => !part.startsWith("{")).length;
    for (const templates of this.#byMethod.values()) templates.sort((a, b) => rank(b) - rank(a));
  }

  calledBy(method: string, address: URL, base?: string): Called[] {
    const parts = address.pathname.slice(1).split("/");
    return (this.#byMethod.get(method) ?? []).flatMap((template) => {
      const found = calledAt(template, address.origin, parts);
      return found && (base === undefined || found.base === base) ? [found] : [];
    });
  }
}

/** Returns the operation and its path parameters if the last parts of the path fit its template. */
function calledAt({ operation, parts }: Template, origin: string, asked: string[]): Called | undefined {
  const own = asked.slice(-parts.length);
  if (own.length < parts.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = own[index] ?? "";
    if (part.startsWith("{")) {
      if (value === "") return undefined;
      path[part.slice(1, -1)] = withoutPercentCodes(value);
    } else if (part !== value) return undefined;
  }
  const before = asked.slice(0, asked.length - parts.length);
  return { operation, path, base: [origin, ...before].join("/") };
}

function withoutPercentCodes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
