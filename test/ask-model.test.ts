import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  call,
  imagesIn,
  refuse,
  type ScriptedServer,
  sayJson,
  startScriptedServer,
} from "../src/models/language/scripted-server.ts";

const BIN = join(import.meta.dirname, "../bin/loci.mjs");
const KEY = "sk-very-secret-0123456789";
const base = mkdtempSync(join(tmpdir(), "loci-ask-model-"));
let server: ScriptedServer;
let id: string;

/** The real process with a model's address and key, as a user starts it. */
async function loci(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    ...process.env,
    LOCI_MEMORY: join(base, "memory"),
    LOCI_EMBEDDER: "hashing:64",
    LOCI_MODEL_API_KEY: KEY,
    LOCI_MODEL_INPUT_USD: "2",
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, ...args], { env });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

describe("ask with a language model", () => {
  beforeAll(async () => {
    server = await startScriptedServer();
    const { out } = await loci(
      "remember",
      "The red mug is on the kitchen table.",
      "--at",
      "1,2,0.8",
      "--json",
    );
    id = JSON.parse(out).id;
  });
  afterAll(async () => {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  });
  const model = () => `openai:tiny@${server.baseUrl}`;

  it("answers with the record's place, and explains how", async () => {
    const picture = join(base, "this.png");
    writeFileSync(picture, Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    const keys = sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["red mug"] } });
    const answer = { status: "answered", type: "position", text: "On the kitchen table.", confidence: 0.9 };
    server.script = [keys, keys, call(["answer", { ...answer, subject: id, cited: [id] }])];
    const { code, out, err } = await loci(
      "ask",
      "Where is this?",
      "--model",
      model(),
      "--image",
      picture,
      "--explain",
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("On the kitchen table.  (90 %)");
    expect(out).toMatch(/at 1\.0, 2\.0, 0\.8 .*\[/);
    expect(out).toMatch(/model\/keys: 1 found, 1 new/);
    expect(out).toMatch(/openai:tiny: 3 calls, 330 tokens, 0\.0006 dollars/);
    expect(server.asked.map(imagesIn)).toEqual([1, 1, 1]);
    expect(server.asked[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("answers by rules when the model fails, and says so without the key", async () => {
    server.otherwise = refuse(401, `bad key ${KEY}`);
    const { code, out, err } = await loci("ask", "Where is the red mug?", "--model", model(), "--json");
    expect(code).toBe(0);
    expect(err).toMatch(/the language model failed, rules answered instead: model-unavailable/);
    expect(JSON.parse(out).trace.models).toMatchObject({ reasoner: "rules", failed: "openai:tiny" });
    expect(out + err).not.toContain(KEY);
  });

  it.each([
    [["--model", "gpt"], /unknown language model/],
    [["--image", "x.png"], /choose one with --model/],
    [["--model", "openai:x@http://127.0.0.1:1/v1", "--image", "nowhere.png"], /cannot read the picture/],
  ])("refuses %j with one line", async (args, line) => {
    const { code, err } = await loci("ask", "Where is the red mug?", ...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(line);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});
