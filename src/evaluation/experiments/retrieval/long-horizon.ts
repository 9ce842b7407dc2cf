import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { above, claim } from "../claims.ts";
import type { Figures } from "../figures.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

const STAR = orGuess(systemStrategy("star"));
const REMEMBR = orGuess(presetStrategy("remembr"));
const OPENGRAPH = orGuess(presetStrategy("opengraph"));

const LENGTHS = ["navqa-short", "navqa-medium", "navqa-long"] as const;

/** How much is lost from short to long memories. */
function lost(figures: Figures, config: string): number | null {
  const [short, long] = [LENGTHS[0], LENGTHS[2]].map((suite) =>
    figures.value(config, { suite, slice: "position" }),
  );
  return short == null || long == null ? null : short - long;
}

export const longHorizon = questionExperiment({
  name: "long-horizon",
  shows:
    "STaR tables 1 and 2: star, remembr and opengraph on short, medium and long memories, by type of answer",
  parts: LENGTHS.map((suite) => ({
    suite,
    questions: [{ suite, count: 30, only: ({ answerable }) => answerable, kinds: "answerable" }],
    configurations: [STAR, REMEMBR, OPENGRAPH],
  })),
  slices: ({ answer }) => [answer.type],
  metrics: ["place error m", "time error s", "match"],
  claims: [
    ...LENGTHS.flatMap((suite) => [
      above("star", "remembr", { suite, slice: "position" }),
      above("star", "opengraph", { suite }),
    ]),
    above("star", "remembr", { suite: "navqa-long" }),
    claim(
      "star keeps up",
      "from short to long memories star loses no more of its places than remembr does",
      (figures) => {
        const [star, remembr] = [lost(figures, "star"), lost(figures, "remembr")];
        return star === null || remembr === null ? null : star <= remembr;
      },
    ),
  ],
  limits:
    "remembr is the same rules over captions and poses only (a place is where the robot stood), opengraph over things without captions, rooms or events; the papers' language models and captioners are not here. Where a memory gives nothing all of them guess alike; only answerable questions. Eight minutes, not half an hour: long is seven to eight. Places count within the tolerance of a house (about 1 m), not 15 m.",
});
