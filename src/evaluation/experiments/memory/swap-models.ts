import { cp, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openMemory } from "../../../compose/memory.ts";
import type { Strategy } from "../../runner/strategy.ts";
import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { ingestOnce, sceneMemory } from "../../suites/kept-memory.ts";
import { claim } from "../claims.ts";
import type { Lab, Variant } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { type Part, questionExperiment } from "../question-experiment.ts";
import { named } from "../restricted-reader.ts";

const EMBEDDERS = ["loci", "hashing:256"] as const;

/** The same memory with its vectors by another embedder. */
function embeddedBy(embedder: string): Variant {
  return {
    name: embedder.replace(/[^a-z0-9]+/gi, "-"),
    async make({ recording, plain, folder, signal }) {
      const done = join(folder, "ingested");
      const isKnown = await stat(done).then(
        () => true,
        () => false,
      );
      if (!isKnown) {
        await (await ingestOnce(recording, plain, signal)).close();
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder, { recursive: true });
        await cp(plain, folder, { recursive: true, filter: (path) => !path.endsWith("ingested") });
        const memory = await openMemory(folder);
        await memory.reembed(embedder, { signal });
        await memory.close();
        await writeFile(done, "");
      }
      return sceneMemory(await openMemory(folder, { embedder }));
    },
  };
}

function partsOf(lab: Lab): Part[] {
  const reasoner = lab.models?.get("reasoner");
  return EMBEDDERS.map((embedder) => {
    const ways: Strategy[] = [
      named(`rules, ${embedder}`, systemStrategy("rules")),
      orGuess(presetStrategy("auto", { id: `retrieved, ${embedder}` })),
      ...(reasoner ? [named(`${reasoner.id}, ${embedder}`, systemStrategy("r4", { model: reasoner }))] : []),
    ];
    return {
      suite: "openeqa",
      questions: [{ suite: "openeqa", count: 36, only: ({ answerable }) => answerable, kinds: "answerable" }],
      configurations: ways,
      ...(embedder === "loci" ? {} : { memory: embeddedBy(embedder) }),
    };
  });
}

export const swapModels = questionExperiment({
  name: "swap-models",
  shows:
    "another embedder, another reasoner, by configuration alone; a language model too where one is named",
  parts: partsOf,
  metrics: ["match", "evidence recall"],
  claims: [
    claim("runs unchanged", "every combination answers, none of them fails", (figures) =>
      EMBEDDERS.every((embedder) => (figures.value(`rules, ${embedder}`) ?? 0) > 0),
    ),
  ],
  limits:
    "Offline: the rules over the whole memory and over what is retrieved, the encoder that is shipped and a hashing one. A reasoner is added by --roles reasoner=…; a captioner is swapped when a memory is made (`ingest --roles captioner=…`), which needs a vision model and is not part of this run.",
});
