/** Habits with a sequence of calls whose answers show the habit. */

import type { Started } from "../service/start.ts";
import { type Bug, type Edit, habit } from "./bug.ts";
import type { Api } from "./order.ts";

/** An answer with its status, headers and unread text. */
interface Sight {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Sent {
  readonly body?: object;
  readonly key?: string;
  readonly token?: string;
  readonly space?: string;
  readonly version?: string;
}

export type See = (method: string, path: string, sent?: Sent) => Promise<Sight>;

/** Returns true if an answer of the service shows the habit, and false if the service does not have it. */
export type Shows = (api: Api, see: See) => Promise<boolean>;

export interface ShownHabit extends Bug {
  readonly shows: readonly Shows[];
}

export function shownHabit(name: string, breaks: string, shows: Shows, ...edits: Edit[]): ShownHabit {
  return { ...habit(`late2-${name}`, breaks, ...edits), shows: [shows] };
}

/** Sends requests and returns the answers as they are, also those that are no JSON. */
export function seeing(service: Started): See {
  return async (method, path, { body, key, token, space, version } = {}) => {
    const answer = await fetch(service.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token ?? service.token}`,
        "service-space-id": space ?? service.space,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(version !== undefined && { "service-version": version }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
}

/** Source that waits. */
export const wait = (milliseconds: number): string =>
  `await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));`;
