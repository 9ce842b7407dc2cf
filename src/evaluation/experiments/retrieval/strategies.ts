import { distance } from "../../../geometry/index.ts";
import type { MemoryReader } from "../../../memory/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { PlanBuilder } from "../../../retrieval/plan/plan.ts";
import { adaptiveK, ambiguityOf } from "../../../retrieval/ranking/ambiguity.ts";
import { LIMITS } from "../../../schema/core.ts";
import { evidenceItems } from "../../runner/evidence-items.ts";
import { evidenceStrategy } from "../../runner/evidence-strategy.ts";
import { EXTRACTIVE_ANSWERER } from "../../runner/extractive-answerer.ts";
import type { Strategy } from "../../runner/strategy.ts";
import { above, alike } from "../claims.ts";
import { STANDARD_TOUR } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";
import { found } from "./chosen-evidence.ts";

/** MemoryEQA's eq. 3: a place is known again within this; its own 5 m would be a whole room of ours. */
const SAME_PLACE_M = 1;
/** Retrieval without adaptive k; without retrieval so many captions go to the reader, as many as fit its window. */
const FIXED_K = 5;
const ALL = 400;

/** The captions that are still in an updated library: what was said of a place is replaced when it is seen again. */
async function updated(reader: MemoryReader): Promise<ReadonlySet<string>> {
  const { hits } = await reader.search({ kinds: ["caption"], rank: "latest", limit: LIMITS.hitsPerSearch });
  const kept: typeof hits = [];
  for (const hit of hits) {
    const isKnown =
      hit.position !== undefined &&
      kept.some((other) => other.position && distance(other.position, hit.position!) < SAME_PLACE_M);
    if (!isKnown) kept.push(hit);
  }
  return new Set(kept.map(({ record }) => record.id));
}

const libraries = new WeakMap<MemoryReader, Promise<ReadonlySet<string>>>();

/** As many as the question is ambiguous among what the library still holds. */
function adaptive(items: readonly Evidence[]): number {
  return adaptiveK(ambiguityOf(items.flatMap(({ scores }) => scores.meaning ?? [])).entropy);
}

/** MemoryEQA's switches: U update the library, R retrieve from it, K choose how many by how ambiguous the question is. */
function library(id: string, on: { update: boolean; retrieve: boolean; adaptive: boolean }): Strategy {
  return evidenceStrategy(id, EXTRACTIVE_ANSWERER, on, async (question, context) => {
    const { reader } = context;
    const known = libraries.get(reader) ?? updated(reader);
    libraries.set(reader, known);
    const library = on.update ? await known : undefined;
    const b = new PlanBuilder("library");
    const pool = on.retrieve
      ? b.add({ op: "sem", kinds: ["caption"], text: question.text, k: ALL })
      : b.add({ op: "all", kinds: ["caption"], k: ALL, order: "latest" });
    const { items } = await found(b.build(pool), question, context);
    const current = library ? items.filter(({ record }) => library.has(record.id)) : items;
    const shown = on.retrieve ? current.slice(0, on.adaptive ? adaptive(current) : FIXED_K) : current;
    const left = items.length - shown.length;
    return {
      items: await evidenceItems(reader, shown),
      rejected: [{ reason: "replaced, or not among the chosen", count: left }],
    };
  });
}

const configurations = [
  library("None", { update: false, retrieve: false, adaptive: false }),
  library("U", { update: true, retrieve: false, adaptive: false }),
  library("U+R", { update: true, retrieve: true, adaptive: false }),
  library("U+R+K", { update: true, retrieve: true, adaptive: true }),
].map(orGuess);

const answerable = ({ answerable: is }: { answerable: boolean }) => is;

export const ablationStrategies = questionExperiment({
  name: "ablation-strategies",
  shows:
    "MemoryEQA table 3: nothing, update, retrieval, adaptive k, in houses where nothing and where much happens",
  parts: [
    {
      suite: "static",
      tour: { ...STANDARD_TOUR, rate: 0, people: 0 },
      questions: [{ suite: "mt", count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    },
    {
      suite: "dynamic",
      questions: [
        { suite: "mt", count: 20, only: answerable, kinds: "answerable" },
        { suite: "change", count: 20, only: answerable, kinds: "answerable" },
      ],
      configurations,
    },
  ],
  metrics: ["match", "context tokens"],
  claims: [
    alike("U", "None", 2, { suite: "static" }),
    above("U+R", "U", { suite: "static" }),
    above("U", "None", { suite: "dynamic", by: 5 }),
    above("U+R+K", "U+R"),
  ],
  limits:
    "The library is our captions; a caption replaces an older one of a place within a metre (eq. 3; the heading and likeness of eqs. 4 and 5 are not asked for). Without R the reader gets every caption, the newest first, up to 400. The extractive reader is not confused by many, as a language model is: what R gains there is not to be expected here. Episodic: steps are ablation-modules'.",
});
