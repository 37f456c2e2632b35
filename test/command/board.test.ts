import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boardCommand } from "../../command/reports/board.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { typicalReport } from "../reports/example.ts";
import { writeCertificate } from "./certificates.ts";
import { command, inFolder } from "./command.ts";

const DAY = 86_400_000;

test("board accepts files and folders, shows broken reports and expired certificates, and makes a badge for each service", () =>
  inFolder(async (cwd) => {
    const target = (name: string) => ({
      baseUrl: `https://${name}.test/api`,
      paths: "as-shown",
      embedded: false,
    });
    writeCertificate(join(cwd, "many", "valid one"), { change: { target: target("valid") } });
    const issuedAt = new Date(Date.now() - 20 * DAY);
    writeCertificate(join(cwd, "many", "old"), { issuedAt, change: { target: target("old") } });
    writeCertificate(join(cwd, "many", "forged"), { change: { target: target("forged") } });
    const forged = join(cwd, "many", "forged", "report.json");
    writeFileSync(forged, readFileSync(forged, "utf8").replace('"seed": ', '"seed": 1'));
    writeFileSync(join(cwd, "many", "valid one", "report.html"), "<p>");
    mkdirSync(join(cwd, "many", "valid one", "renewal"));
    writeFileSync(join(cwd, "many", "valid one", "renewal", "report.json"), "{}");
    writeFileSync(join(cwd, "broken.json"), "{}");
    writeFileSync(join(cwd, "single.json"), renderJson(typicalReport()));
    const args = ["board", "many", "single.json", "broken.json", "many/old/report.json", "--out", "out"];
    const { code, stdout, stderr } = await command(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe("4 services of 4 reports in out/index.html\n");
    expect(stderr).toMatch(/broken\.json is shown as broken: .* is no report/);
    const board = JSON.parse(readFileSync(join(cwd, "out", "board.json"), "utf8"));
    expect(board.broken).toMatchObject([{ file: "broken.json" }]);
    const services = board.specifications[0].services as {
      baseUrl: string;
      badge?: string;
      run: { doubts: string[]; page?: string };
    }[];
    const doubts = Object.fromEntries(services.map(({ baseUrl, run }) => [baseUrl, run.doubts]));
    expect(doubts).toMatchObject({
      "https://valid.test/api": [],
      "https://old.test/api": ["expired"],
      "https://forged.test/api": ["certificate changed"],
    });
    const page = services.find(({ baseUrl }) => baseUrl.includes("valid"))?.run.page ?? "";
    expect(page).toBe("../many/valid%20one/report.html");
    expect(readFileSync(join(cwd, "out", "index.html"), "utf8")).toContain(`href="${page}"`);
    expect(readdirSync(join(cwd, "out", "badges")).sort()).toEqual([
      "forged.test-api.svg",
      "old.test-api.svg",
      "sandbox.example.test-api.svg",
      "valid.test-api.svg",
    ]);
    expect(readFileSync(join(cwd, "out", "badges", "old.test-api.svg"), "utf8")).toContain(
      "conformant (expired)",
    );
    for (const { badge } of services) expect(existsSync(join(cwd, "out", badge ?? ""))).toBe(true);
    expect((await command(["board", "single.json", "--out", "out"], { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, "out", "badges"))).toEqual(["sandbox.example.test-api.svg"]);
  }));

test("board shows a report as broken whose verdict was changed by hand", () =>
  inFolder(async (cwd) => {
    const file = join(cwd, "changed.json");
    writeFileSync(file, renderJson({ ...typicalReport(), verdict: "conformant" }));
    writeFileSync(join(cwd, "single.json"), renderJson(typicalReport()));
    expect(boardCommand([file, join(cwd, "single.json")], { out: join(cwd, "out") })).toBe(0);
    const board = JSON.parse(readFileSync(join(cwd, "out", "board.json"), "utf8"));
    expect(board.specifications[0].services).toHaveLength(1);
    expect(board.broken).toMatchObject([{ problem: expect.stringContaining("contradicts itself") }]);
  }));

test("board without a report is wrong use", () =>
  inFolder(async (cwd) => {
    mkdirSync(join(cwd, "empty"));
    const { code, stderr } = await command(["board", "empty"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("there is no report to show");
    expect((await command(["board", "missing.json"], { cwd })).stderr).toContain("there is no such file");
    expect(existsSync(join(cwd, "conformance-board"))).toBe(false);
  }));

test("board shows a certificate without its key as changed, a folder without a report as broken, and follows links", () =>
  inFolder(async (cwd) => {
    const folder = (name: string) => join(cwd, name);
    writeCertificate(folder("kept"), { issuedAt: new Date(Date.now() - 20 * DAY) });
    rmSync(join(folder("kept"), "certificate.pub.pem"));
    mkdirSync(folder("linked"));
    symlinkSync(folder("kept"), join(folder("linked"), "service"));
    symlinkSync(folder("linked"), join(folder("linked"), "itself"));
    mkdirSync(folder("empty"));
    symlinkSync(folder("nowhere"), folder("nowhere"));
    symlinkSync(folder("nowhere"), join(folder("linked"), "nowhere"));
    expect(boardCommand([folder("linked"), folder("empty"), folder("nowhere")], { out: folder("out") })).toBe(
      0,
    );
    const board = JSON.parse(readFileSync(join(folder("out"), "board.json"), "utf8"));
    expect(board.specifications[0].services).toMatchObject([{ run: { doubts: ["certificate changed"] } }]);
    expect(board.broken).toMatchObject([
      { problem: "the folder holds no report.json" },
      { problem: expect.stringContaining("nowhere") },
    ]);
  }));
