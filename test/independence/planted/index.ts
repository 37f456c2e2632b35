import type { Bug } from "./bug.ts";
import { createBugs } from "./creates.ts";
import { momentAccountBugs } from "./moment-accounts.ts";
import { momentCodeBugs } from "./moment-codes.ts";
import { momentListBugs } from "./moment-lists.ts";
import { momentOtherBugs } from "./moment-others.ts";
import { momentWebhookBugs } from "./moment-webhooks.ts";
import type { OrderBug } from "./order.ts";
import { accountOrderBugs } from "./order-accounts.ts";
import { codeOrderBugs } from "./order-codes.ts";
import { freshOrderBugs } from "./order-fresh.ts";
import { freshOtherOrderBugs } from "./order-fresh-others.ts";
import { lateOrderBugs } from "./order-late.ts";
import { lateCodeOrderBugs } from "./order-late-codes.ts";
import { lateListOrderBugs } from "./order-late-lists.ts";
import { lateWebhookOrderBugs } from "./order-late-webhooks.ts";
import { late2CodeOrderBugs } from "./order-late2-codes.ts";
import { late2OtherOrderBugs } from "./order-late2-others.ts";
import { late2WebhookOrderBugs } from "./order-late2-webhooks.ts";
import { late3CodeOrderBugs } from "./order-late3-codes.ts";
import { late3CreateOrderBugs } from "./order-late3-creates.ts";
import { late3OtherOrderBugs } from "./order-late3-others.ts";
import { late3WebhookOrderBugs } from "./order-late3-webhooks.ts";
import { late4CodeOrderBugs } from "./order-late4-codes.ts";
import { late4CreateOrderBugs } from "./order-late4-creates.ts";
import { late4OtherOrderBugs } from "./order-late4-others.ts";
import { late4WebhookOrderBugs } from "./order-late4-webhooks.ts";
import { late5CodeOrderBugs } from "./order-late5-codes.ts";
import { late5CreateOrderBugs } from "./order-late5-creates.ts";
import { late5OtherOrderBugs } from "./order-late5-others.ts";
import { late5WebhookOrderBugs } from "./order-late5-webhooks.ts";
import { late6CodeOrderBugs } from "./order-late6-codes.ts";
import { late6CreateOrderBugs } from "./order-late6-creates.ts";
import { late6OtherOrderBugs } from "./order-late6-others.ts";
import { late6WebhookOrderBugs } from "./order-late6-webhooks.ts";
import { late7CodeOrderBugs } from "./order-late7-codes.ts";
import { late7CreateOrderBugs } from "./order-late7-creates.ts";
import { late7OtherOrderBugs } from "./order-late7-others.ts";
import { late7WebhookOrderBugs } from "./order-late7-webhooks.ts";
import { late8CodeOrderBugs } from "./order-late8-codes.ts";
import { late8CreateOrderBugs } from "./order-late8-creates.ts";
import { late8OtherOrderBugs } from "./order-late8-others.ts";
import { late8WebhookOrderBugs } from "./order-late8-webhooks.ts";
import { late9CodeOrderBugs } from "./order-late9-codes.ts";
import { late9CreateOrderBugs } from "./order-late9-creates.ts";
import { late9OtherOrderBugs } from "./order-late9-others.ts";
import { late9WebhookOrderBugs } from "./order-late9-webhooks.ts";
import { late10CodeOrderBugs } from "./order-late10-codes.ts";
import { late10CreateOrderBugs } from "./order-late10-creates.ts";
import { late10OtherOrderBugs } from "./order-late10-others.ts";
import { late10WebhookOrderBugs } from "./order-late10-webhooks.ts";
import { late11CodeOrderBugs } from "./order-late11-codes.ts";
import { late11CreateOrderBugs } from "./order-late11-creates.ts";
import { late11OtherOrderBugs } from "./order-late11-others.ts";
import { late11WebhookOrderBugs } from "./order-late11-webhooks.ts";
import { late12CodeOrderBugs } from "./order-late12-codes.ts";
import { late12CreateOrderBugs } from "./order-late12-creates.ts";
import { late12OtherOrderBugs } from "./order-late12-others.ts";
import { late12WebhookOrderBugs } from "./order-late12-webhooks.ts";
import { listOrderBugs } from "./order-lists.ts";
import { otherOrderBugs } from "./order-others.ts";
import { payoutOrderBugs } from "./order-payouts.ts";
import { spaceOrderBugs } from "./order-spaces.ts";
import { tokenOrderBugs } from "./order-tokens.ts";
import { versionOrderBugs } from "./order-versions.ts";
import { webhookOrderBugs } from "./order-webhooks.ts";
import { otherBugs } from "./other-routes.ts";
import { paymentCodeBugs } from "./payment-codes.ts";
import { webhookBugs } from "./webhooks.ts";

/** Bugs that show without a certain sequence of calls. A run has one of them in the service. */
export const BUGS: readonly Bug[] = [...createBugs, ...webhookBugs, ...paymentCodeBugs, ...otherBugs];

/** Bugs with a short sequence of calls that shows them. For those called `moment-…`, one moment is enough. */
export const orderBugs: readonly OrderBug[] = [
  ...webhookOrderBugs,
  ...accountOrderBugs,
  ...codeOrderBugs,
  ...listOrderBugs,
  ...payoutOrderBugs,
  ...versionOrderBugs,
  ...spaceOrderBugs,
  ...tokenOrderBugs,
  ...otherOrderBugs,
  ...freshOrderBugs,
  ...freshOtherOrderBugs,
  ...lateOrderBugs,
  ...lateWebhookOrderBugs,
  ...lateCodeOrderBugs,
  ...lateListOrderBugs,
  ...late2WebhookOrderBugs,
  ...late2CodeOrderBugs,
  ...late2OtherOrderBugs,
  ...late3WebhookOrderBugs,
  ...late3CodeOrderBugs,
  ...late3CreateOrderBugs,
  ...late3OtherOrderBugs,
  ...late4WebhookOrderBugs,
  ...late4CodeOrderBugs,
  ...late4CreateOrderBugs,
  ...late4OtherOrderBugs,
  ...late5WebhookOrderBugs,
  ...late5CodeOrderBugs,
  ...late5CreateOrderBugs,
  ...late5OtherOrderBugs,
  ...late6WebhookOrderBugs,
  ...late6CodeOrderBugs,
  ...late6CreateOrderBugs,
  ...late6OtherOrderBugs,
  ...late7WebhookOrderBugs,
  ...late7CodeOrderBugs,
  ...late7CreateOrderBugs,
  ...late7OtherOrderBugs,
  ...late8WebhookOrderBugs,
  ...late8CodeOrderBugs,
  ...late8CreateOrderBugs,
  ...late8OtherOrderBugs,
  ...late9WebhookOrderBugs,
  ...late9CodeOrderBugs,
  ...late9CreateOrderBugs,
  ...late9OtherOrderBugs,
  ...late10WebhookOrderBugs,
  ...late10CodeOrderBugs,
  ...late10CreateOrderBugs,
  ...late10OtherOrderBugs,
  ...late11WebhookOrderBugs,
  ...late11CodeOrderBugs,
  ...late11CreateOrderBugs,
  ...late11OtherOrderBugs,
  ...late12WebhookOrderBugs,
  ...late12CodeOrderBugs,
  ...late12CreateOrderBugs,
  ...late12OtherOrderBugs,
  ...momentAccountBugs,
  ...momentCodeBugs,
  ...momentWebhookBugs,
  ...momentListBugs,
  ...momentOtherBugs,
];
