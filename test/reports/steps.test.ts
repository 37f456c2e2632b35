import { describe, expect, it } from "vitest";
import { stepsBefore } from "../../reports/steps.ts";
import { exchange } from "./example.ts";

function asked(method: string, path: string, body: string | null, status: number) {
  const { request, response, ...rest } = exchange();
  if (response === undefined) throw new Error("the example has an answer");
  const url = `https://api.example.com${path}`;
  return { ...rest, request: { ...request, method, url, body }, response: { ...response, status } };
}

describe("the steps before a fault", () => {
  it("name method, path, body and status of each request but the last", () => {
    const evidence = [
      asked("POST", "/webhooks", '{"name":"a"}', 200),
      asked("PATCH", "/webhooks/w1", '{"name":"b"}', 404),
      asked("GET", "/webhooks?limit=1", null, 200),
    ];
    expect(stepsBefore({ evidence })).toEqual([
      'POST /webhooks {"name":"a"} 200',
      'PATCH /webhooks/w1 {"name":"b"} 404',
    ]);
  });

  it("end before the exchange at fault", () => {
    const evidence = [
      asked("POST", "/webhooks", null, 200),
      { ...asked("GET", "/webhooks", null, 200), offending: "/result" },
      asked("GET", "/banks", null, 200),
    ];
    expect(stepsBefore({ evidence })).toEqual(["POST /webhooks 200"]);
  });

  it("are the last twelve of many", () => {
    const evidence = Array.from({ length: 20 }, (_, at) => asked("GET", `/banks?limit=${at}`, null, 200));
    const steps = stepsBefore({ evidence });
    expect(steps[0]).toBe("7 more before");
    expect(steps).toHaveLength(13);
    expect(steps.at(-1)).toBe("GET /banks?limit=18 200");
  });

  it("show no control characters, and only the start of long bodies", () => {
    const evidence = [
      asked("POST", "/x", `\u001b[31m${"a".repeat(5_000)}`, 200),
      asked("GET", "/x", null, 200),
    ];
    const [step = ""] = stepsBefore({ evidence });
    expect(step).not.toContain("\u001b");
    expect(step.length).toBeLessThan(200);
  });
});
