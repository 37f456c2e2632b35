import type { Bug } from "./bug.ts";
import { createBugs } from "./creates.ts";
import { otherBugs } from "./elsewhere.ts";
import { paymentCodeBugs } from "./payment-codes.ts";
import { webhookBugs } from "./webhooks.ts";

/** All planted bugs. The service has one at a time. */
export const BUGS: readonly Bug[] = [...createBugs, ...webhookBugs, ...paymentCodeBugs, ...otherBugs];
