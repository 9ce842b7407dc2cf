import { presetStrategy, systemStrategy } from "../../runner/system-strategy.ts";
import { above, claim } from "../claims.ts";
import type { Figures } from "../figures.ts";
import { LONG_CAMPUS, LONG_WAREHOUSE } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";

const STAR = orGuess(systemStrategy("star"));
const REMEMBR = orGuess(presetStrategy("remembr"));
const OPENGRAPH = orGuess(presetStrategy("opengraph"));

const LENGTHS = ["campus-short", "campus-medium", "campus-long"] as const;
const configurations = [STAR, REMEMBR, OPENGRAPH];
const answerable = ({ answerable: is }: { readonly answerable: boolean }) => is;

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
    "STaR tables 1 and 2: star, remembr and opengraph on short, medium and long memories, by type of answer; WH-VQA's kinds of questions about warehouses",
  parts: [
    ...LENGTHS.map((suite) => ({
      suite,
      tour: LONG_CAMPUS,
      questions: [{ suite, count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    })),
    {
      suite: "warehouse",
      tour: LONG_WAREHOUSE,
      questions: [{ suite: "warehouse", count: 30, only: answerable, kinds: "answerable" }],
      configurations,
    },
  ],
  slices: ({ answer }) => [answer.type],
  metrics: ["place error m", "time error s", "match"],
  claims: [
    ...LENGTHS.flatMap((suite) => [
      above("star", "remembr", { suite, slice: "position" }),
      above("star", "opengraph", { suite }),
    ]),
    above("star", "remembr", { suite: "campus-long" }),
    above("star", "remembr", { suite: "warehouse" }),
    above("star", "opengraph", { suite: "warehouse" }),
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
    "One reader behind all three, without a model by rules: remembr hands it captions and poses only (a place is where the robot stood), opengraph things without captions, rooms or events. Where a memory gives nothing all of them guess alike; only answerable questions. Campuses are driven for 36 minutes (short: 0.7 to 2 minutes of memory, medium: to 7, long: beyond), warehouses for 30; places count within 15 m on a campus, as in NaVQA.",
});
