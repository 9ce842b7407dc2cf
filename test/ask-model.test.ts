import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  call,
  imagesIn,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
} from "../src/models/testing/scripted-server.ts";
import { loci as command, type Said } from "./command-line.ts";

const KEY = "sk-very-secret-0123456789";
const base = mkdtempSync(join(tmpdir(), "loci-ask-model-"));
const picture = join(base, "this.png");
let server: ScriptedServer;
let id: string;

/** A command with a model's address and key, as a user gives them. */
function loci(args: string[], environment: Record<string, string> = {}): Promise<Said> {
  const env = {
    LOCI_MEMORY: join(base, "memory"),
    LOCI_EMBEDDER: "hashing:64",
    LOCI_MODEL_API_KEY: KEY,
    LOCI_MODEL_INPUT_USD: "2",
    ...environment,
  };
  return command(args, { env, cwd: base });
}

const model = (name = "tiny") => `openai:${name}@${server.baseUrl}`;
const keys = sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["red mug"] } });
const answer = () =>
  call([
    "answer",
    {
      status: "answered",
      type: "position",
      text: "On the kitchen table.",
      confidence: 0.9,
      subject: id,
      cited: [id],
    },
  ]);
const config = (content: unknown, name = "settings.json") => {
  const path = join(base, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

beforeAll(async () => {
  server = await startScriptedServer();
  writeFileSync(picture, Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const { out } = await loci([
    "remember",
    "The red mug is on the kitchen table.",
    "--at",
    "1,2,0.8",
    "--json",
  ]);
  id = JSON.parse(out).id;
});
afterAll(async () => {
  await server.close();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => {
  server.script = [];
  server.otherwise = refuse(500);
  server.asked.length = 0;
});

describe("ask with a language model", () => {
  it("answers with the record's place, and explains how", async () => {
    server.script = [keys, keys, answer()];
    const { code, out, err } = await loci([
      "ask",
      "--model",
      model(),
      "--image",
      picture,
      "Where is this?",
      "--explain",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("On the kitchen table.  (90 %)");
    expect(out).toMatch(/at 1\.0, 2\.0, 0\.8 .*\[/);
    expect(out).toMatch(
      /how it was answered\n {2}understood as place\(shown\(\)\)\n {4}\{.*\n {2}1\. the model needs the memory for it/,
    );
    expect(out).toMatch(
      /2\. searched by what the question names: 1 record, 1 of them new.*\n {7}search_objects: text red mug, limit 8/,
    );
    expect(out).toMatch(/3\. the model said “On the kitchen table\.”: borne out by 1 record/);
    expect(out).toMatch(/openai:tiny: 3 calls, 330 tokens, 0\.0006 dollars/);
    expect(server.asked.map(imagesIn)).toEqual([1, 1, 1]);
    expect(server.asked[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("takes several pictures, or a folder of them, and needs no memory for them", async () => {
    const clip = join(base, "clip");
    mkdirSync(clip);
    for (let n = 0; n < 20; n++) writeFileSync(join(clip, `frame-${n}.jpg`), Buffer.from([0xff, 0xd8, n]));
    const seen = sayJson({ basis: "view", answer: "It rolls left.", choice: "B", confidence: 0.9 });
    const nowhere = { LOCI_MEMORY: join(base, "nowhere") };
    const question = ["ask", "Which way does it roll?", "--model", model(), "--options", "right,left"];
    for (const [pictures, sent] of [
      [["--image", picture, "--image", picture], 2],
      [["--clip", clip], 16],
    ] as const) {
      server.script = [seen, seen, seen];
      server.asked.length = 0;
      const { out, err } = await loci([...question, ...pictures], nowhere);
      expect(out).toMatch(/^B: It rolls left\. {2}\(90 %\)\n.*picture 1 that came with the question/);
      expect(err).toMatch(/no memory at .*nowhere: answered from the pictures alone/);
      expect(server.asked.map(imagesIn)).toEqual([sent, sent, sent]);
    }
    // First and last are among those chosen of many, in the order of their numbers.
    const sent = JSON.stringify(server.asked[0]!.body);
    const positions = [0, 19].map((n) => sent.indexOf(Buffer.from([0xff, 0xd8, n]).toString("base64")));
    expect(positions[0]).toBeGreaterThan(0);
    expect(positions[1]).toBeGreaterThan(positions[0]!);
  });

  it("is told of a model that cannot be had, and answers by rules only where that is wanted", async () => {
    server.otherwise = refuse(401, `bad key ${KEY}`);
    const ask = ["ask", "Where is the red mug?", "--model", model(), "--json"];
    const refused = await loci(ask);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^loci: .*answered 401: the given key was refused \[model-unavailable\]\n$/);
    const { code, out, err } = await loci([...ask, "--or-rules"]);
    expect(code).toBe(0);
    expect(err).toMatch(/the language model failed, rules answered instead: model-unavailable/);
    expect(JSON.parse(out).trace.models).toMatchObject({ reasoner: "rules", failed: "openai:tiny" });
    expect(refused.err + out + err).not.toContain(KEY);
  });

  it("answers by rules when a model that can be had says nothing of use", async () => {
    server.otherwise = say("I think it is somewhere.");
    const { code, out, err } = await loci(["ask", "Where is the red mug?", "--model", model(), "--explain"]);
    expect(code).toBe(0);
    expect(err).toMatch(/rules answered instead: model-failed/);
    expect(out).toMatch(/the model failed; the rules went on\n {7}turned away: model-failed/);
  });

  it("is set by a file, overruled by the environment, overruled by the flag", async () => {
    const file = config({ model: model("by-file"), roles: { confidence: {} } });
    const asked = async (args: string[], environment: Record<string, string>) => {
      server.script = [keys, answer(), say("D")];
      server.asked.length = 0;
      const { out, err } = await loci(["ask", "Where is the red mug?", "--json", ...args], environment);
      expect(err).toBe("");
      return { models: server.asked.map(({ body }) => body.model), answer: JSON.parse(out) };
    };
    const byFile = await asked(["--config", file], {});
    expect(byFile.models).toEqual(["by-file", "by-file", "by-file"]);
    expect(byFile.answer).toMatchObject({
      confidence: 0.8,
      trace: { models: { confidence: "openai:by-file" } },
    });
    expect((await asked([], { LOCI_CONFIG: file, LOCI_MODEL: model("by-env") })).models).toEqual([
      "by-env",
      "by-env",
      "by-env",
    ]);
    const byFlag = await asked(["--model", model("by-flag"), "--roles", "reasoner"], {
      LOCI_CONFIG: file,
      LOCI_MODEL: model("by-env"),
    });
    expect(byFlag.models).toEqual(["by-flag", "by-flag"]);
  });

  it("says who is asked where a file was found that nobody named, and sends it no key", async () => {
    const found = config({ model: model("found") }, "loci.json");
    server.script = [keys, answer()];
    const { code, err } = await loci(["ask", "Where is the red mug?"]);
    rmSync(found);
    expect(code).toBe(0);
    expect(err).toMatch(/loci\.json decides who is asked: reasoner found at http:\/\/127\.0\.0\.1/);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it("leaves the key nowhere: not in the memory, the cache, the trace or the output", async () => {
    const cache = join(base, "answers");
    server.script = [keys, answer()];
    const environment = { LOCI_MODEL_CACHE_DIR: cache };
    const ask = ["ask", "Where is the red mug?", "--model", model(), "--json"];
    const first = await loci(ask, environment);
    // The second time nothing is asked and nothing is paid.
    const second = await loci(ask, environment);
    expect(server.asked).toHaveLength(2);
    expect(JSON.parse(second.out).trace.plan.usage.costUsd).toBe(0);
    expect(first.out + first.err + second.out + second.err).not.toContain(KEY);
    const files = filesUnder(base);
    expect(files.filter((file) => file.startsWith(cache))).toHaveLength(2);
    for (const file of files) expect(readFileSync(file).includes(KEY)).toBe(false);
  });

  it.each<[string[], RegExp]>([
    [["--model", "magic"], /unknown language model "magic".* \[invalid-input\]/],
    [["--model", "openai:x@http://127.0.0.1:1/v1"], /no connection: .* \[model-unavailable\]/],
    [["--model", "anthropic:x"], /anthropic:x needs a key; set ANTHROPIC_API_KEY \[model-unavailable\]/],
    [["--model", `openai:x@http://user:${KEY}@127.0.0.1:1/v1`], /an address has no user.* \[invalid-input\]/],
    [
      ["--config", "typo.json"],
      /typo\.json: unknown setting "modle"; known are model, roles, cacheFolder \[invalid-input\]/,
    ],
    [
      ["--config", "keyless.json"],
      /keyless\.json takes a key from NOT_SET, which is not set \[invalid-input\]/,
    ],
    [
      ["--config", "gone.json"],
      /cannot read the configuration .*gone\.json: there is no such file \[invalid-input\]/,
    ],
    [
      ["--roles", "captain"],
      /--roles: "captain" is none of reasoner, confidence, selector \[invalid-input\]/,
    ],
    [["--system", "magic"], /expected a system \(.*\), got "magic" \[invalid-input\]/],
    [["--image", "x.png"], /cannot read the picture/],
    [["--image", "this.png"], /expected an image that decodes.* \[invalid-input\]/],
    [["--model", "openai:x@http://127.0.0.1:1/v1", "--image", "typo.json"], /typo\.json is no JPEG or PNG/],
    [["--model", "openai:x@http://127.0.0.1:1/v1", "--clip", "memory"], /has no JPEG or PNG pictures/],
  ])("refuses %j with one line", async (args, line) => {
    config({ modle: "x" }, "typo.json");
    config({ model: { name: model(), apiKeyEnv: "NOT_SET" } }, "keyless.json");
    const environment = { LOCI_MODEL_API_KEY: "", ANTHROPIC_API_KEY: "" };
    const { code, out, err } = await loci(["ask", "Where is the red mug?", ...args], environment);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toMatch(line);
    expect(err).not.toContain(KEY);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("other commands with a language model", () => {
  it("search descends the regions by a selector", async () => {
    const { code, out } = await loci([
      "search",
      "--text",
      "red mug",
      "--strategy",
      "embodied-rag",
      "--model",
      model(),
      "--explain",
    ]);
    expect(code).toBe(0);
    // One fact is no forest: nobody needs to be asked.
    expect(out).toMatch(/selector: openai:tiny, 0 calls/);
  });

  it("ingest and eval do not start with a model that cannot be reached", async () => {
    const recording = join(base, "recording");
    await loci(["simulate", "house", "--minutes", "0.1", "--out", recording]);
    const memory = join(base, "never");
    server.otherwise = refuse(401);
    for (const args of [
      ["ingest", recording, "--memory", memory, "--model", model()],
      ["eval", "openeqa", "--seeds", "1", "--judge", model()],
    ]) {
      const { code, err } = await loci(args);
      expect(code).toBe(1);
      expect(err).toMatch(/the given key was refused \[model-unavailable\]\n$/);
    }
    expect(() => statSync(memory)).toThrow();
    expect(server.asked).toHaveLength(2);
  }, 60_000);
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}
