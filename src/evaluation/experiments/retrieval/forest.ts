import type { QuestionRecord } from "../../../schema/index.ts";
import type { Row } from "../../runner/row.ts";
import type { Strategy } from "../../runner/strategy.ts";
import { presetStrategy } from "../../runner/system-strategy.ts";
import { above, alike, claim } from "../claims.ts";
import { STANDARD_TOUR } from "../lab.ts";
import { questionExperiment } from "../question-experiment.ts";

const LARGE = { ...STANDARD_TOUR, rooms: 12 };
const SIZES = [1, 2, 4, 8, 16, 32] as const;
/** A leaf is a position of the robot, a thing its own position: within this distance it counts as reached. */
const REACHED_M = 3;

const isOf = (type: string) => (question: QuestionRecord) =>
  question.answerable && question.answer.type === type;
const TO_GO = [{ suite: "erag" as const, count: 80, only: isOf("position"), kinds: "position" }];
const TO_TELL = [{ suite: "erag" as const, count: 80, only: isOf("rubric"), kinds: "rubric" }];

function ways(output: "navigate" | "explain"): Strategy[] {
  return [
    presetStrategy("semantic-match", { id: "semantic match" }),
    presetStrategy("flat-rag", { id: "flat" }),
    presetStrategy("embodied-rag", { id: "forest", output }),
    presetStrategy("embodied-rag", { id: "forest, paper", output, mode: "paper" }),
  ];
}
const KS = SIZES.map((k) => presetStrategy("embodied-rag", { id: `forest, k=${k}`, k, output: "explain" }));

/** Embodied-RAG's levels: a named thing, a need, a description of the whole place. */
function levelOf({ subtype }: QuestionRecord): string[] {
  return subtype.startsWith("global/")
    ? []
    : [/^(implicit|functional)\//.test(subtype) ? "implicit" : "explicit"];
}

function isReached({ answer }: QuestionRecord, { scores }: Row): boolean {
  return answer.type === "position" ? (scores.l2M ?? Infinity) <= REACHED_M : scores.right;
}

const ahead = (size: string) => ({ suite: `${size}, tell`, metric: "match" });

export const forest = questionExperiment({
  name: "forest",
  shows: "Embodied-RAG table 1 and its k ablation: semantic match, flat RAG, forest; small and large houses",
  parts: [
    { suite: "small, go", questions: TO_GO, configurations: ways("navigate") },
    { suite: "large, go", tour: LARGE, questions: TO_GO, configurations: ways("navigate") },
    { suite: "small, tell", questions: TO_TELL, configurations: [...ways("explain"), ...KS] },
    { suite: "large, tell", tour: LARGE, questions: TO_TELL, configurations: ways("explain") },
  ],
  slices: levelOf,
  isRight: isReached,
  metrics: ["match", "place error m", "context tokens"],
  claims: [
    alike("forest", "flat", 5, { slice: "explicit" }),
    above("forest", "flat", { slice: "implicit" }),
    above("forest", "flat", ahead("small")),
    above("forest", "flat", ahead("large")),
    above("flat", "semantic match", { slice: "implicit" }),
    claim(
      "wider when larger",
      "what the forest tells more than flat RAG is more in large houses",
      (figures) => {
        const [small, large] = ["small", "large"].map((size) =>
          figures.difference("forest", "flat", ahead(size)),
        );
        return small && large ? large.value > small.value : null;
      },
    ),
    claim("plateau in k", "from k = 8 on the forest tells less than three points more", (figures) => {
      const [from, ...later] = [8, 16, 32].map((k) => figures.value(`forest, k=${k}`, ahead("small")));
      return from == null || later.some((value) => value == null)
        ? null
        : Math.max(...later.map((value) => value ?? 0)) - from < 3;
    }),
  ],
  limits: `Going is right if the place that the shared reader answers with is within ${REACHED_M} m of what was meant; telling is the share of a rubric's facts in its answer (match). Summaries are extracted, not written, and branches are chosen by words and meaning, not by a language model. Small is six rooms, large twelve; the papers' places are campuses.`,
});
