import type { RecordKind } from "../../schema/core.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { Preset } from "./papers.ts";
import { descent, distilled, hybrid } from "./scope.ts";

/** Lets captions be two places ahead: of the first six, four are captions, which carry times, and two are things. */
const CAPTIONS_FIRST = 1.03;

/**
 * The product's own choice. Captions by meaning and words; where many of them repeat each other and name things, the
 * fewest that cover everything instead. The things themselves beside them, whole and one state each. For needs and
 * questions about the whole also the forest. Captions and things keep their own places, so that neither kind crowds out
 * the other; the budget cuts the excess.
 */
export const auto: Preset = (asked, { k = 6, hasForest = false, hasPose, tokens }) => {
  const b = new PlanBuilder("auto");
  const { cues } = asked;
  const captions: RecordKind[] = ["caption"];
  const pool = hybrid(b, captions, asked);
  const best = b.add({ op: "topK", from: pool, k });
  const told = b.add({
    op: "ifRedundant",
    from: pool,
    redundant: distilled(b, pool, asked, k),
    otherwise: best,
  });
  const states = b.add({
    op: "broaden",
    from: hybrid(b, ["state"], asked, { minZ: 2, pool: 48 }),
    atLeast: 1,
    rounds: 3,
  });
  const fewer = b.add({ op: "topK", from: states, k: 4 * k });
  const things = b.add({ op: "topK", from: b.add({ op: "dedupeByTrack", from: fewer }), k });
  const parts = [told, things];
  if (hasForest && cues.level !== "explicit") {
    const leaves = descent(b, asked, k, hasPose);
    parts.push(b.add({ op: "chains", from: leaves }));
    parts.push(b.add({ op: "join", from: leaves, along: "place-caption", k }));
    if (cues.level === "global") parts.push(b.add({ op: "summary", text: cues.query, minLevel: 2, k }));
  }
  const weights = parts.map((_, i) => (i === 0 ? CAPTIONS_FIRST : 1));
  const fused = b.add({ op: "rrf", of: parts, weights });
  return b.build(tokens === undefined ? fused : b.add({ op: "budget", from: fused, tokens }));
};
