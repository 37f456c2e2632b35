import { plainShape } from "../envelope.ts";
import type { Handlers } from "../handlers.ts";
import { list } from "../lists.ts";

export const ussdOtpHandlers = {
  "GET /v1/ussd-otps": (ctx) => list(ctx, { kind: "ussdOtp", paging: "opaque", shape: plainShape }),
} satisfies Handlers;
