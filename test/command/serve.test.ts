import { describe, expect, test } from "vitest";
import { FIXTURE_NAMES } from "../../spec/model/settings.ts";
import { type CommandOptions, command, inFolder } from "./command.ts";

/** Starts `serve`, passes its output to `use` once it listens, and ends it with a signal afterwards. */
async function serving(args: string[], use: (printed: string) => Promise<void>) {
  return inFolder(async (cwd) => {
    let used: Promise<void> | undefined;
    const onOutput: CommandOptions["onOutput"] = (printed, kill) => {
      if (used !== undefined || !printed.includes("Run the suite against it:")) return;
      used = use(printed).finally(() => kill("SIGINT"));
    };
    const ended = await command(["serve", ...args], { cwd, onOutput });
    await used;
    return ended;
  });
}

function fact(printed: string, name: string): string {
  const [, value = ""] = new RegExp(`^ +${name} +(\\S+)`, "m").exec(printed) ?? [];
  return value;
}

async function ask(
  printed: string,
  path: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${fact(printed, "Base URL")}${path}`, {
    headers: {
      Authorization: `Bearer ${fact(printed, "Token")}`,
      "Service-Space-Id": fact(printed, "Space"),
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("serve", () => {
  test("prints what a client needs, answers until it is stopped, and exits 0", async () => {
    const { code, stderr } = await serving([], async (printed) => {
      expect(fact(printed, "Base URL")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(fact(printed, "Second space")).toMatch(/^spc-/);
      for (const name of FIXTURE_NAMES) expect(fact(printed, name)).not.toBe("");
      const code = await ask(printed, `/payment-codes/${fact(printed, "paymentCode")}`);
      expect(code).toMatchObject({ status: 200, body: { success: true } });
    });
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("--defect switches defects on; each is named", async () => {
    const defects = ["messages-text@codes", "count-of-all@codes"];
    const args = defects.flatMap((defect) => ["--defect", defect]);
    const { code } = await serving(args, async (printed) => {
      for (const defect of defects) expect(printed).toMatch(new RegExp(`Defect +${defect}`));
      const { body } = await ask(printed, "/v1/payment-codes?limit=2");
      expect(body.messages).toBe("1");
      expect((body.pagination as { count: number }).count).toBeGreaterThan(2);
    });
    expect(code).toBe(0);
  });

  test("--defect accepts a glob, and refuses one that fits nothing", async () => {
    const { code } = await serving(["--defect", "count-of-all@{codes,webhooks}"], async (printed) => {
      expect(printed).toMatch(/Defect +count-of-all@codes\n +Defect +count-of-all@webhooks\n/);
    });
    expect(code).toBe(0);
  });

  test("--port: listens there; a port in use is wrong use", async () => {
    await serving([], async (printed) => {
      const { port } = new URL(fact(printed, "Base URL"));
      await inFolder(async (cwd) => {
        const second = await command(["serve", "--port", port], { cwd });
        expect(second.code).toBe(2);
        expect(second.stderr).toContain(`--port ${port} is taken`);
      });
    });
  });
});
