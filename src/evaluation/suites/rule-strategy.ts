import { SceneMap } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { ask } from "../../reasoning/index.ts";
import type { Strategy as RetrievalStrategy } from "../../retrieval/index.ts";
import { UNKNOWN_BACKGROUND } from "../../schema/core.ts";
import type { Strategy } from "../runner/index.ts";

/** The product's own answers: the rule reasoner, with one of retrieval's presets for what only words answer. */
export function ruleStrategy(retrieval: RetrievalStrategy = "auto"): Strategy {
  const maps = new WeakMap<MemoryReader, Promise<SceneMap>>();
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
