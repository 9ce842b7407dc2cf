import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chooseModels, type ModelRequest } from "./choose-models.ts";
import { type ModelConfig, readModelConfig } from "./config-file.ts";
import { MODEL_ROLES } from "./role.ts";

const base = mkdtempSync(join(tmpdir(), "loci-config-"));
afterAll(() => rmSync(base, { recursive: true }));
const KEY = "sk-very-secret-0123456789";

/** A settings file, either named or merely found. */
const fileOf = async (content: unknown, named = true): Promise<ModelConfig | undefined> => {
  const path = join(base, "loci.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return readModelConfig(named ? path : undefined, {}, base);
};
const at = (name: string) => `openai:${name}@http://127.0.0.1:1/v1`;
/** Role → the model that does it. */
const chosen = (request: Partial<ModelRequest>) =>
  Object.fromEntries(
    [
      ...chooseModels({ uses: MODEL_ROLES, byFlag: ["reasoner", "selector"], environment: {}, ...request }),
    ].map(([role, { spec }]) => [role, spec.model]),
  );

describe("who does what", () => {
  it("is the rules where nothing is set", () => {
    expect(chosen({})).toEqual({});
  });

  it("is decided by the flag, then the environment, then the file", async () => {
    const config = await fileOf({
      model: at("file"),
      roles: { describer: at("file-d"), captioner: {}, judge: "off" },
    });
    expect(chosen({ config })).toEqual({ reasoner: "file", describer: "file-d", captioner: "file" });
    const environment = { LOCI_MODEL: at("env"), LOCI_MODEL_CAPTIONER: at("env-c") };
    // The environment replaces models; the active roles still come from the file.
    expect(chosen({ config, environment })).toEqual({
      reasoner: "env",
      describer: "env",
      captioner: "env-c",
    });
    expect(chosen({ config, environment, model: at("flag") })).toEqual({
      reasoner: "flag",
      selector: "flag",
      describer: "env",
      captioner: "env-c",
    });
    expect(chosen({ config, environment, named: { judge: at("mark") } })["judge"]).toBe("mark");
  });

  it("leaves costly roles alone where a model is only set in general", async () => {
    expect(chosen({ environment: { LOCI_MODEL: at("env") } })).toEqual({ reasoner: "env" });
    expect(chosen({ config: await fileOf({ model: at("file") }) })).toEqual({ reasoner: "file" });
  });

  it("is narrowed by --roles, and switched off by off at every level", async () => {
    const environment = { LOCI_MODEL: at("env"), LOCI_MODEL_JUDGE: at("env-j") };
    expect(chosen({ environment, roles: ["captioner"] })).toEqual({ captioner: "env" });
    expect(chosen({ environment, model: "off" })).toEqual({ judge: "env-j" });
    expect(chosen({ environment: { ...environment, LOCI_MODEL_JUDGE: "off" } })).toEqual({ reasoner: "env" });
    const config = await fileOf({ model: "off", roles: { judge: at("j") } });
    expect(chosen({ config })).toEqual({ judge: "j" });
  });

  it("takes settings and budgets of the file with the model they stand with", async () => {
    const config = await fileOf({
      model: {
        name: at("file"),
        tools: false,
        timeoutMs: 9,
        retries: 0,
        prices: { inputUsd: 1, outputUsd: 2 },
      },
      roles: { captioner: { budget: { calls: 7 }, vision: true } },
      cacheFolder: "answers",
    });
    const choose = (environment: Record<string, string>) =>
      chooseModels({ uses: MODEL_ROLES, byFlag: [], environment, config });
    expect(choose({}).get("captioner")).toMatchObject({
      fromFile: true,
      budget: { calls: 7 },
      spec: { tools: false, vision: true, timeoutMs: 9, retries: 0, cacheFolder: join(base, "answers") },
    });
    // Another model has other settings; the budget belongs to the role.
    const other = choose({ LOCI_MODEL: at("env"), LOCI_MODEL_TIMEOUT_MS: "5" }).get("captioner");
    expect(other).toMatchObject({ fromFile: false, budget: { calls: 7 }, spec: { timeoutMs: 5 } });
    expect(other?.spec.tools).toBeUndefined();
    // The environment's own settings take precedence over the file's.
    expect(choose({ LOCI_MODEL_TOOLS: "on" }).get("reasoner")?.spec.tools).toBe(true);
  });

  it.each([
    [{ roles: ["captain"] }, /"captain" is none of reasoner/],
    [{ roles: ["captioner"] }, /no model is chosen for the captioner/],
    [{ model: "magic" }, /unknown language model "magic"/],
    [{ environment: { LOCI_MODEL: "magic" } }, /unknown language model "magic"/],
  ])("refuses %j in one line", (request, line) => {
    expect(() => chosen(request)).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringMatching(line) }),
    );
  });
});

describe("keys", () => {
  const specOf = async (entry: object, environment: Record<string, string>, named = true) =>
    chooseModels({
      uses: ["reasoner"],
      byFlag: [],
      environment,
      config: await fileOf({ model: entry }, named),
    }).get("reasoner")?.spec;

  it("come from the variable that a named file names", async () => {
    const entry = { name: at("x"), apiKeyEnv: "MY_SERVER_KEY" };
    expect((await specOf(entry, { MY_SERVER_KEY: KEY }))?.apiKey).toBe(KEY);
    await expect(specOf(entry, {})).rejects.toThrow(/takes a key from MY_SERVER_KEY, which is not set/);
  });

  it("do not go to an address that a file names which nobody named", async () => {
    const environment = { LOCI_MODEL_API_KEY: KEY, OPENAI_API_KEY: KEY };
    expect((await specOf({ name: at("x") }, environment))?.apiKey).toBe(KEY);
    expect((await specOf({ name: at("x") }, environment, false))?.apiKey).toBeUndefined();
    const entry = { name: at("x"), apiKeyEnv: "OPENAI_API_KEY" };
    await expect(specOf(entry, environment, false)).rejects.toThrow(
      /may send no key to an address of its own/,
    );
    // A vendor's own key is still sent to the vendor.
    expect((await specOf({ name: "openai:x" }, environment, false))?.apiKey).toBe(KEY);
  });
});

describe("a file of settings", () => {
  it("need not be there, unless it is named", async () => {
    const empty = mkdtempSync(join(base, "empty-"));
    expect(await readModelConfig(undefined, {}, empty)).toBeUndefined();
    await expect(readModelConfig("gone.json", {}, empty)).rejects.toThrow(
      /gone\.json: there is no such file/,
    );
    await expect(readModelConfig(undefined, { LOCI_CONFIG: "gone.json" }, empty)).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  it.each([
    ['{"model": ', /is no JSON/],
    ['{"modle": "openai:x"}', /unknown setting "modle"; known are model, roles, cacheFolder/],
    ['{"roles": {"describr": "openai:x"}}', /at roles: unknown setting "describr"; known are reasoner/],
    ['{"model": {"name": "openai:x", "vison": true}}', /at model: unknown setting "vison"/],
    [`{"model": {"name": "openai:x", "apiKey": "${KEY}"}}`, /a key does not belong into a file/],
    [`{"model": {"name": "openai:x", "apiKeyEnv": "sk-${KEY}"}}`, /never the key itself/],
    ['{"model": {"timeoutMs": 1}}', /at model\.name/],
    ['{"roles": {"judge": {"budget": {"calls": -1}}}}', /at roles\.judge\.budget\.calls/],
    ["[]", /expected object/],
    [" ".repeat(70_000), /more than 65536 bytes/],
  ])("is refused in one line where it is wrong: %s", async (content, line) => {
    const error = await fileOf(content).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ message: expect.stringMatching(line) });
    expect((error as Error).message).not.toContain(KEY);
    expect((error as Error).message).not.toContain("\n");
  });
});
