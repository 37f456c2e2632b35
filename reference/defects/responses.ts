import { answerSuccess, LISTS, showEnvelope } from "../hook-tools.ts";
import type { Defect } from "./defect.ts";

/** Defects of successful answers: status, content type, envelope (rows 1 to 4). */
export const responseDefects: readonly Defect[] = [
  {
    name: "create-webhook-answers-201",
    description: "Creating a webhook answers 201 Created.",
    requirement: "STATUS-200",
    row: 1,
    level: "MUST",
    operations: ["POST /webhooks"],
    hooks: answerSuccess(["POST /webhooks"], (response) => ({ ...response, status: 201 })),
  },
  {
    name: "messages-missing-on-lists",
    description: "Lists leave messages out when there is nothing to tell.",
    requirement: "MESSAGES-ARRAY",
    row: 2,
    level: "MUST",
    operations: LISTS,
    hooks: showEnvelope(LISTS, ({ messages: _, ...body }) => body),
  },
];
