import { Random } from "../../../geometry/index.ts";
import { contentId, type QuestionRecord } from "../../../schema/index.ts";
import type { QuestionWorld } from "../../../world/questions/index.ts";
import { makeQuestion } from "../../datasets/dataset.ts";

/** AbstainEQA's five reasons to give no answer. */
export const REASONS = [
  "actionability",
  "referential underspecification",
  "preference",
  "information unavailable",
  "false presupposition",
] as const;
type Reason = (typeof REASONS)[number];

const EACH = 5;
const CLEAR_PIXELS = 60;
const CLEAR_FRAMES = 3;

/** Unanswerable questions about this house, for each reason. */
export function abstentionQuestions(world: QuestionWorld, seed: number | string): QuestionRecord[] {
  const random = new Random(`abstention/${seed}`);
  const looks = new Map<string, number>();
  for (const { visible } of world.frames)
    for (const { id, pixels } of visible) if (pixels >= CLEAR_PIXELS) looks.set(id, (looks.get(id) ?? 0) + 1);
  const { things } = world.timeline.house;
  const seen = things.filter(
    ({ id, type }) => (type === "furniture" || type === "small") && (looks.get(id) ?? 0) >= CLEAR_FRAMES,
  );
  const kinds = [...Map.groupBy(seen, ({ name }) => name)];
  const alone = kinds.filter(([, all]) => all.length === 1).map(([name]) => name);
  const several = kinds
    .filter(([, all]) => all.length > 1 && new Set(all.map(({ colour }) => colour)).size > 1)
    .map(([name]) => name);
  const holders = seen.filter(({ fluents }) => fluents.includes("openness")).map(({ name }) => name);
  const absent = ABSENT.filter((name) => !things.some((thing) => thing.name.includes(name)));
  const asked: Readonly<Record<Reason, readonly string[]>> = {
    actionability: drawn(random, holders).map(
      (name) => `If you open the ${name} and take everything out, what lies at the very back?`,
    ),
    "referential underspecification": drawn(random, several).map((name) => `What colour is the ${name}?`),
    preference: drawn(random, alone).map((name) => `Is the ${name} beautiful?`),
    "information unavailable": drawn(random, alone).map((name) => `How much did the ${name} cost?`),
    "false presupposition": drawn(random, absent).map((name) => `What colour is the ${name}?`),
  };
  return REASONS.flatMap((reason) => asked[reason].map((text) => questionOf(world, seed, reason, text)));
}

const ABSENT = [
  "grand piano",
  "aquarium",
  "telescope",
  "rowing machine",
  "fireplace",
  "surfboard",
  "chandelier",
];

function drawn(random: Random, names: readonly string[]): string[] {
  return random.shuffle([...new Set(names)]).slice(0, EACH);
}

function questionOf(
  world: QuestionWorld,
  seed: number | string,
  reason: Reason,
  text: string,
): QuestionRecord {
  const last = world.frames.at(-1)!;
  return makeQuestion({
    id: contentId("question", `abstention/${seed}/${reason}/${text}`),
    family: "house",
    suite: "abstention",
    type: "existence",
    subtype: reason,
    text,
    answer: { type: "none", text: "I cannot tell.", status: "not-seen" },
    askedAtUs: last.timeUs,
    askedOf: last.agentId,
  });
}
