import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  askAboutPictures,
  askMemory,
  ingestInto,
  openMemory,
  openModels,
  retrieveFrom,
  simulate,
} from "../compose.ts";
import {
  call,
  hang,
  imagesIn,
  type Reply,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "../models/testing/scripted-server.ts";
import { openRecording, type RecordingItem, type RecordingReader } from "../sensors/index.ts";
import { encodePng } from "../sensors/png.ts";

const KEY = "sk-very-secret-0123456789";
const base = mkdtempSync(join(tmpdir(), "loci-models-"));
const items: RecordingItem[] = [];
let server: ScriptedServer;

beforeAll(async () => {
  const out = join(base, "recording");
  await simulate({ family: "house", seed: 3, minutes: 0.15, fps: 1, noise: 0.5, rooms: 4, objects: 60, out });
  for await (const item of (await openRecording(out)).items()) items.push(item);
}, 60_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));
// One server per test: an abandoned request may arrive after the next test has set up its script.
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

/** A camera that delivers boxes and labels but no text, which the models then add. */
function wordless(): RecordingReader {
  const all = items.map((item): RecordingItem => {
    if (item.kind !== "frame") return item;
    const detections = (item.frame.detections ?? []).map(
      ({ text: _text, attributes: _attributes, ...one }) => one,
    );
    return { kind: "frame", frame: { ...item.frame, detections, captions: [] } };
  });
  return {
    format: "folder",
    info: { version: 1, frames: all.length, edges: 0, startUs: null, endUs: null, agents: [], source: "" },
    async *items() {
      yield* all;
    },
    close: async () => {},
  };
}

/** Handles all four kinds of ingest work, told apart by the prompt. */
const working: Reply = (response, asked) => {
  const text = textOf(asked);
  const reply = text.includes("one short noun phrase")
    ? sayJson({
        things: Array.from({ length: imagesIn(asked) }, (_, n) => ({
          n: n + 1,
          phrase: "a thing put into words",
          kind: "coffee machine",
        })),
      })
    : text.includes("about three seconds")
      ? say("The model saw a quiet room. Nobody moves.")
      : text.includes("sees a thing again")
        ? sayJson({ same: null, confidence: 0.9 })
        : sayJson({ name: "a room by model", summary: "Summed up by the model.", relationships: [] });
  reply(response, asked);
};

/** Settings by file: a failing server is asked only once, so that these tests are quick. */
const modelsFor = (work: "ingest" | "ask", more: Record<string, string> = {}, roles?: string[]) => {
  const config = join(base, "loci.json");
  const model = { name: `openai:tiny@${server.baseUrl}`, retries: 0, timeoutMs: 5_000, apiKeyEnv: "MY_KEY" };
  const all = { describer: {}, captioner: {}, adjudicator: {}, summariser: {} };
  writeFileSync(config, JSON.stringify({ model, roles: all }));
  return openModels({ work, roles, config, environment: { MY_KEY: KEY, ...more }, folder: base });
};

let folders = 0;
async function ingested(
  roles?: string[],
  signal?: AbortSignal,
  environment: Record<string, string> = {},
  mode: "loci" | "paper" = "loci",
) {
  const folder = join(base, `memory-${folders++}`);
  const memory = await openMemory(folder, { embedder: "hashing:64" });
  const models = await modelsFor("ingest", environment, roles);
  const summary = await ingestInto(memory, wordless(), { models, mode }, signal ? { signal } : {}).catch(
    (error) => error,
  );
  const texts = async (kind: "state" | "caption" | "region") =>
    (await memory.search({ kinds: [kind], limit: 100 })).hits.flatMap(({ record }) => record.text);
  const said = {
    states: await texts("state"),
    captions: await texts("caption"),
    regions: await texts("region"),
  };
  await Promise.all([memory.close(), models.close()]);
  return { folder, summary, usage: models.usage(), said };
}

describe("an ingest with models", () => {
  it("describes, captions, adjudicates and summarises, and keeps no key", async () => {
    server.otherwise = working;
    // In paper mode the adjudicator is asked about every proposal, not only where the score is undecided.
    const { folder, usage, said } = await ingested(undefined, undefined, {}, "paper");
    expect(said.states).toContain("a thing put into words");
    expect(said.captions).toContain("The model saw a quiet room.");
    expect(said.regions.join()).toContain("Summed up by the model.");
    const calls = Object.fromEntries(usage.map(({ role, calls: n }) => [role, n]));
    expect(Object.values(calls).every((n) => n > 0)).toBe(true);
    expect(usage.every(({ failures }) => failures === 0)).toBe(true);
    // Requests included crops and frames: of at most eight things, or a few of a clip.
    const images = server.asked.map(imagesIn);
    expect(Math.max(...images)).toBeLessThanOrEqual(8);
    expect(images.filter((n) => n > 0)).toHaveLength(calls["describer"]! + calls["captioner"]!);
    for (const file of filesUnder(folder)) expect(readFileSync(file).includes(KEY)).toBe(false);
  }, 30_000);

  it("does only the work that it is told to", async () => {
    server.otherwise = working;
    const { usage, said } = await ingested(["summariser"]);
    expect(usage.map(({ role }) => role)).toEqual(["summariser"]);
    expect(said.states).not.toContain("a thing put into words");
    expect(said.regions.join()).toContain("Summed up by the model.");
  }, 30_000);

  it.each<[string, Reply]>([
    ["is broken", refuse(500)],
    ["talks nonsense", say("x".repeat(5_000))],
    ["says nothing", hang],
  ])(
    "is whole, by templates and rules, when the server %s",
    async (_name, reply) => {
      server.otherwise = reply;
      const { summary, usage, said } = await ingested(["describer", "captioner", "summariser"], undefined, {
        LOCI_MODEL_TIMEOUT_MS: reply === hang ? "50" : "5000",
      });
      expect(summary.written).toBe(items.filter(({ kind }) => kind === "frame").length);
      expect(said.captions.length).toBeGreaterThan(0);
      expect(said.regions.length).toBeGreaterThan(0);
      if (reply !== hang) return;
      // Not called again after three failures in a row, so that hours are not spent waiting.
      expect(usage.every(({ failures }) => failures <= 8)).toBe(true);
      expect(usage[0]?.lastFailure).toContain("[model-unavailable]");
    },
    30_000,
  );

  it("ends at once when somebody aborts, with what was seen until then", async () => {
    const stop = new AbortController();
    server.otherwise = (response, asked) => {
      if (server.asked.length > 5) stop.abort();
      else working(response, asked);
    };
    const { summary, said } = await ingested(undefined, stop.signal);
    expect(summary).toMatchObject({ code: "aborted" });
    // The current frame was finished: the place it was taken from is known.
    expect(said.regions.length).toBeGreaterThan(0);
  }, 30_000);
});

describe("a selector", () => {
  it("goes down the regions in place of the embedding, and is not asked for other plans", async () => {
    server.otherwise = working;
    const { folder } = await ingested(["summariser"]);
    const memory = await openMemory(folder, { embedder: "hashing:64", create: false });
    server.otherwise = (response, asked) => {
      const ids = [...textOf(asked).matchAll(/\[([\w.-]+)\]/g)].map((match) => match[1]!);
      sayJson({ chosen: ids.slice(0, 16).map((id, n) => ({ id, score: 90 - n })) })(response, asked);
    };
    const models = await modelsFor("ask", {}, ["selector"]);
    const found = await retrieveFrom(memory, "somewhere to sit", { strategy: "embodied-rag", models });
    expect(found.items.length).toBeGreaterThan(0);
    const [{ calls } = { calls: 0 }] = models.usage();
    expect(calls).toBeGreaterThan(0);
    await retrieveFrom(memory, "somewhere to sit", { strategy: "r-eqa", models });
    expect(models.usage()[0]?.calls).toBe(calls);
    await Promise.all([memory.close(), models.close()]);
  }, 30_000);
});

describe("a question about its own pictures", () => {
  const pictures = [1, 2, 3].map((n) => ({ bytes: Uint8Array.from([0xff, 0xd8, 0xff, n]) }));

  it("is answered from all of them at once, and cites them", async () => {
    const seen = { basis: "view", answer: "To the left.", choice: "A", confidence: 0.9 };
    server.script = [sayJson(seen), sayJson(seen), sayJson(seen)];
    const models = await modelsFor("ask");
    const options = ["left", "right"];
    const said = await askAboutPictures(pictures, "Which way does the ball roll?", { models, options });
    expect(said).toMatchObject({ status: "answered", type: "choice", choice: "A" });
    expect(said.evidence.map(({ kind }) => kind)).toEqual(["view", "view", "view"]);
    expect(server.asked.map(imagesIn)).toEqual([3, 3, 3]);
    await models.close();
  });

  it("cites single pictures where samples disagree, and takes none that are not there", async () => {
    const unsure = sayJson({
      basis: "view",
      answer: "left",
      choice: "A",
      confidence: 0.3,
      keys: { semantic: ["ball"] },
    });
    let second = "";
    server.script = [
      unsure,
      unsure,
      unsure,
      (response, asked) => {
        second = [...textOf(asked).matchAll(/^\| (view-\w+)$/gm)][1]![1]!;
        const answer = { status: "answered", type: "choice", text: "Right.", choice: "B", confidence: 0.8 };
        call(["answer", { ...answer, cited: [second, "view-made-up"] }])(response, asked);
      },
      sayJson({ verdicts: ["yes"] }),
    ];
    const models = await modelsFor("ask");
    const said = await askAboutPictures(pictures, "Which way does the ball roll?", {
      models,
      options: ["left", "right"],
    });
    expect(said).toMatchObject({ choice: "B", evidence: [{ ref: second, kind: "view" }] });
    // What a picture shows counts a little less than a measurement; the missing one is surplus.
    expect(said.confidence).toBeCloseTo(0.72, 6);
    expect(said.trace.rounds.flatMap(({ rejected }) => rejected)).toEqual([]);
    await models.close();
  });

  it("tells where somebody points, and which picture is in view", async () => {
    const data = new Uint8Array(40 * 20 * 3);
    const bytes = await encodePng({ width: 40, height: 20, channels: 3, data });
    const memory = await openMemory(join(base, `memory-${folders++}`), { embedder: "hashing:64" });
    const seen = sayJson({ basis: "view", answer: "A mug.", confidence: 0.9 });
    const models = await modelsFor("ask");
    server.script = [seen, seen, seen, seen, seen, seen];
    await askMemory(memory, "What is this?", { models, images: [{ bytes }], at: [10, 5, 20, 10] });
    expect(textOf(server.asked[0]!)).toContain("“this” lies between 25 % and 50 % of the picture's width");
    await askMemory(memory, "What is this?", {
      models,
      images: [{ bytes }],
      inView: { bytes },
      at: [10, 5, 10, 5],
    });
    const told = textOf(server.asked[3]!);
    expect(told).toContain("The first picture is what is in view");
    expect(told).toContain("In the second picture “this” is what lies 25 % of the picture's width");
    expect(imagesIn(server.asked[3]!)).toBe(2);
    await Promise.all([memory.close(), models.close()]);
  });

  it("is not put to a model that does not see", async () => {
    const models = await modelsFor("ask", { LOCI_MODEL_VISION: "off" });
    await expect(askAboutPictures(pictures, "What is it?", { models })).rejects.toMatchObject({
      code: "not-supported",
    });
    expect(server.asked).toEqual([]);
    await models.close();
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}
