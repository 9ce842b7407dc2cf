import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LociError } from "../../schema/index.ts";
import { hang, refuse, type ScriptedServer, say, startScriptedServer } from "../testing/scripted-server.ts";
import { chooseModels } from "./choose-models.ts";
import { openModelRoles } from "./open-roles.ts";
import { MODEL_ROLES, type ModelRole } from "./role.ts";
import { roleModel } from "./role-model.ts";

const KEY = "sk-very-secret-0123456789";
const ask = (text: string) => ({
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text }] }],
  maxTokens: 8,
});
let server: ScriptedServer;
// One server per test: an abandoned request may arrive after the next test has set up its script.
beforeEach(async () => {
  server = await startScriptedServer();
  server.otherwise = say("yes");
});
afterEach(() => server.close());

const open = (roles: readonly ModelRole[], environment: Record<string, string> = {}, budget = {}) =>
  openModelRoles(
    new Map(
      [
        ...chooseModels({
          uses: MODEL_ROLES,
          byFlag: [],
          roles,
          model: `openai:tiny@${server.baseUrl}`,
          environment: { LOCI_MODEL_API_KEY: KEY, LOCI_MODEL_TIMEOUT_MS: "20000", ...environment },
        }),
      ].map(([role, { spec, fromFile }]) => [role, { spec: { ...spec, retries: 0 }, fromFile, budget }]),
    ),
  );

describe("models at work", () => {
  it("have budgets of their own, count what they use, and share what they know", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-roles-"));
    const roles = await open(
      ["describer", "captioner"],
      { LOCI_MODEL_CACHE_DIR: folder, LOCI_MODEL_INPUT_USD: "10" },
      { calls: 2 },
    );
    await roles.get("describer")?.generate(ask("a"));
    await roles.get("describer")?.generate(ask("b"));
    await expect(roles.get("describer")?.generate(ask("c"))).rejects.toMatchObject({
      code: "limit-exceeded",
    });
    // The same request in another role comes from the cache, at no cost.
    await roles.get("captioner")?.generate(ask("a"));
    expect(server.asked).toHaveLength(2);
    expect(roles.usage()).toMatchObject([
      {
        role: "describer",
        calls: 2,
        inputTokens: 200,
        costUsd: 0.002,
        failures: 0,
        lastFailure: expect.stringMatching(/budget of 2 calls/),
      },
      { role: "captioner", calls: 1, costUsd: 0 },
    ]);
    expect(roles.get("judge")).toBeUndefined();
    // Neither the key nor the question is in the cached files.
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/sk-very|"a"/);
    expect(JSON.stringify(roles.usage())).not.toContain(KEY);
    await roles.close();
    rmSync(folder, { recursive: true });
  });

  it("are left alone after three failures in a row, and not for a passing one", async () => {
    const describer = (await open(["describer"])).get("describer")!;
    server.script = [refuse(500), say("yes"), refuse(500), refuse(400), refuse(503)];
    for (const fails of [true, false, true, true, true]) {
      const asked = describer.generate(ask("x"));
      await (fails ? expect(asked).rejects.toThrow() : expect(asked).resolves.toMatchObject({ text: "yes" }));
    }
    await expect(describer.generate(ask("x"))).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(/not asked for another 30 s after 3 failures in a row; the last: .*503/),
    });
    expect(server.asked).toHaveLength(5);
    expect(describer.usage()).toMatchObject({
      failures: 4,
      lastFailure: expect.stringContaining("[model-unavailable]"),
    });
  });

  it("are asked once more after a rest, which is longer each time", async () => {
    let nowMs = 0;
    const answers = [false, false, false, false, true, true];
    const model = {
      id: "fake:away",
      capabilities: { vision: false, tools: false },
      async generate() {
        if (!answers.shift()) throw new LociError("model-unavailable", "away");
        const usage = { inputTokens: 1, outputTokens: 1 };
        return { text: "back", toolCalls: [], usage, finish: "stop" as const };
      },
      close: async () => undefined,
    };
    const role = roleModel("describer", model, {}, undefined, () => nowMs);
    for (let n = 0; n < 3; n++) await expect(role.generate(ask("x"))).rejects.toThrow("away");
    nowMs = 29_999;
    await expect(role.generate(ask("x"))).rejects.toThrow("not asked for another 1 s");
    nowMs = 30_000;
    await expect(role.generate(ask("x"))).rejects.toThrow("away");
    nowMs = 89_999;
    await expect(role.generate(ask("x"))).rejects.toThrow("not asked for another 1 s");
    nowMs = 90_000;
    expect((await role.generate(ask("x"))).text).toBe("back");
    expect((await role.generate(ask("x"))).text).toBe("back");
    expect(answers).toEqual([]);
  });

  it("do not count an abort or a lack of tools as failures", async () => {
    const describer = (await open(["describer"])).get("describer")!;
    const tools = [{ name: "look", description: "", input: { type: "object" } }];
    server.script = Array.from({ length: 4 }, () => refuse(400, "tiny does not support tools"));
    for (let n = 0; n < 4; n++)
      await expect(describer.generate({ ...ask("x"), tools })).rejects.toMatchObject({
        code: "not-supported",
      });
    await expect(describer.generate(ask("x"), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(describer.usage().failures).toBe(0);
  });

  it("are asked for a word before a long run, once for each model", async () => {
    const roles = await open(["describer", "captioner"]);
    await roles.check();
    expect(server.asked).toHaveLength(1);
    server.otherwise = refuse(401, KEY);
    const refused = await roles.check().catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ code: "model-unavailable" });
    expect((refused as Error).message).not.toContain(KEY);
    server.otherwise = hang;
    const hurried = await open(["describer"], { LOCI_MODEL_TIMEOUT_MS: "200" });
    await expect(hurried.check()).rejects.toMatchObject({
      message: expect.stringContaining("within 200 ms"),
    });
  });

  it("say which key is missing before anything is sent", async () => {
    for (const [model, line] of [
      ["openai:gpt", /openai:gpt needs a key; set OPENAI_API_KEY/],
      ["anthropic:x", /needs a key; set ANTHROPIC_API_KEY/],
      ["google:x", /needs a key; set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY/],
    ] as const) {
      const choices = chooseModels({ uses: ["reasoner"], byFlag: ["reasoner"], model, environment: {} });
      await expect(openModelRoles(choices)).rejects.toMatchObject({
        code: "model-unavailable",
        message: expect.stringMatching(line),
      });
    }
  });
});
