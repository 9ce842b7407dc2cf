import { SceneMap } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { type Asked, ask, type Reading } from "../../reasoning/index.ts";
import type { Strategy as RetrievalStrategy } from "../../retrieval/index.ts";
import { UNKNOWN_BACKGROUND } from "../../schema/core.ts";
import type { Strategy } from "../runner/index.ts";

export interface RuleStrategyOptions {
  /** Words to expressions, where an experiment reads them in its own way. */
  readonly read?: (question: string, asked: Asked) => Promise<readonly Reading[]>;
}

/** One map of a memory for all who ask it the same. */
const maps = new WeakMap<MemoryReader, Promise<SceneMap>>();

/** The product's own answers: the rule reasoner, with one of retrieval's presets for what only words answer. */
export function ruleStrategy(
  retrieval: RetrievalStrategy = "auto",
  { read }: RuleStrategyOptions = {},
): Strategy {
  return {
    id: retrieval === "auto" ? "rules" : `rules+${retrieval}`,
    models: { reasoner: "rules" },
    settings: { retrieval },
    async answer(question, { reader, embedder, nowUs, sceneId, signal }) {
      const mapOf = () => {
        const known = maps.get(reader) ?? SceneMap.open(reader, { sceneId });
        maps.set(reader, known);
        return known;
      };
      return ask(question.text, {
        reader,
        embedder,
        nowUs,
        signal,
        strategy: retrieval,
        map: mapOf,
        navigate: false,
        ...(read && { read }),
        ...(question.options && { options: question.options }),
        ...(question.askedOf !== undefined && { agentId: question.askedOf }),
        ...(question.start && { pose: question.start }),
        ...(question.image && { pointed: question.image }),
        ...(embedder && {
          background: (await reader.calibration("text")) ?? embedder.background ?? UNKNOWN_BACKGROUND,
        }),
      });
    },
  };
}
