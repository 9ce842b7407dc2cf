import { describe, expect, it } from "vitest";
import { findPackage, openLanguageModel, parseLanguageModelSpec } from "../../models/index.ts";
import { startProtocolServer } from "../../models/testing/protocol-server.ts";
import { PROTOCOLS } from "../../models/testing/protocols.ts";
import { openTestMemory } from "../../retrieval/testing/small-memory.ts";
import { askWithModel } from "./ask-with-model.ts";

const environment = { LOCI_PACKAGES: process.env.LOCI_PACKAGES, LOCI_MODEL_API_KEY: "sk-test" };

/** The same transcript in every vendor's words: keys, a chained search, a picture, an answer with the record's place. */
describe.each(["openai", "anthropic", "google"] as const)("the loop with a model of %s", (vendor) => {
  const name = `@ai-sdk/${vendor}`;
  const isMissing = vendor !== "openai" && findPackage(name, environment.LOCI_PACKAGES) === null;
  const needs = isMissing ? ` (needs ${name})` : "";

  it.skipIf(isMissing)(`searches, looks at a picture and answers${needs}`, async () => {
    const [server, memory] = await Promise.all([startProtocolServer(PROTOCOLS[vendor]), openTestMemory()]);
    const spec = parseLanguageModelSpec(`${vendor}:some-model@${server.baseUrl}`, environment);
    const model = await openLanguageModel(spec);
    const keys = { basis: "memory", confidence: 0.1, keys: { semantic: ["red mug"] } };
    const answer = { status: "answered", type: "position", text: "In the bedroom.", confidence: 0.9 };
    server.script = [
      { say: JSON.stringify(keys) },
      {
        call: [
          ["search", { near: "mug2" }],
          ["look", { at: "kitchen-a" }],
        ],
      },
      { call: [["answer", { ...answer, subject: "mug2", cited: ["mug2"] }]] },
    ];
    const { reader, embedder, nowUs } = memory;
    const said = await askWithModel("Where is the red mug?", {
      reader,
      embedder,
      nowUs,
      model,
      onFailure: "throw",
    });
    expect(said).toMatchObject({ status: "answered", type: "position", position: { region: "bedroom" } });
    expect(said.position?.point.x).toBeCloseTo(9.4, 6);
    expect(said.trace).toMatchObject({ tokens: 330, models: { reasoner: `${vendor}:some-model` } });
    expect(said.trace.rounds.map(({ strategy }) => strategy)).toEqual([
      "model/answerability",
      "model/keys",
      "model/tools",
      "model/answer",
    ]);
    // The results went back, with the picture that was asked for.
    const last = server.asked.at(-1)!.body;
    expect(last).toMatch(/t1 mug · bedroom/);
    expect(last).toMatch(/image\/(?:jpeg|png)/);
    await Promise.all([model.close(), server.close(), memory.close()]);
  });
});
