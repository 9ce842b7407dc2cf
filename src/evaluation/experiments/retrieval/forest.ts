import { above, alike, claim } from "../claims.ts";
import { STANDARD_TOUR } from "../lab.ts";
import { orGuess } from "../or-guess.ts";
import { questionExperiment } from "../question-experiment.ts";
import { reads } from "./chosen-evidence.ts";

const LARGE = { ...STANDARD_TOUR, rooms: 12 };
const SIZES = [1, 2, 4, 8, 16, 32] as const;
const KS = SIZES.map((k) => orGuess(reads(`forest, k=${k}`, "embodied-rag", { k })));
const questions = [
  {
    suite: "erag" as const,
    count: 40,
    only: ({ answerable }: { answerable: boolean }) => answerable,
    kinds: "answerable",
  },
];
const ways = [
  orGuess(reads("semantic match", "semantic-match")),
  orGuess(reads("flat", "flat-rag")),
  orGuess(reads("forest", "embodied-rag")),
  orGuess(reads("forest, paper", "embodied-rag", { mode: "paper" })),
];

/** Embodied-RAG's three levels: a thing that is named, a need, the place as a whole. */
function levelOf(subtype: string): string {
  if (subtype.startsWith("global/")) return "global";
  return /^(implicit|functional)\//.test(subtype) ? "implicit" : "explicit";
}

export const forest = questionExperiment({
  name: "forest",
  shows:
    "Embodied-RAG table 1 and its k ablation: semantic match, flat RAG and the forest, small and large houses",
  parts: [
    { suite: "small", questions, configurations: [...ways, ...KS] },
    { suite: "large", tour: LARGE, questions, configurations: ways },
  ],
  slices: ({ subtype }) => [levelOf(subtype)],
  metrics: ["match", "context tokens"],
  claims: [
    alike("forest", "flat", 5, { slice: "explicit" }),
    above("forest", "flat", { slice: "implicit" }),
    above("forest", "flat", { slice: "global" }),
    above("flat", "semantic match", { slice: "implicit" }),
    claim(
      "wider when larger",
      "the forest is further ahead of flat RAG in large houses (implicit and global)",
      (figures) => {
        const ahead = (suite: string) =>
          ["implicit", "global"].map(
            (slice) => figures.difference("forest", "flat", { suite, slice })?.value ?? 0,
          );
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        return sum(ahead("large")) > sum(ahead("small"));
      },
    ),
    claim("plateau in k", "from k = 8 on the forest gains less than three points", (figures) => {
      const [from, ...later] = [8, 16, 32].map((k) => figures.value(`forest, k=${k}`, { suite: "small" }));
      return from == null || later.some((value) => value == null)
        ? null
        : Math.max(...later.map((value) => value ?? 0)) - from < 3;
    }),
  ],
  limits:
    "The extractive reader reads what each way retrieves; summaries are extracted, not written, and branches are chosen by words and meaning, not by a language model. Small is six rooms, large twelve. Needs (implicit) that the words of no record share are what a language model would bridge.",
});
