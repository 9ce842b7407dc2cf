import type { QuestionRecord } from "../../../schema/index.ts";
import { questionSchema } from "../../../schema/index.ts";
import { Asked, FRAMES, first, fits, must } from "./asked.ts";
import { FAMILY_RULES } from "./rules-families.ts";
import { HAPPENING_RULES } from "./rules-happenings.ts";
import { PURPOSE_RULES } from "./rules-purposes.ts";
import { type Rule, THING_RULES } from "./rules-things.ts";
import { unanswerable } from "./rules-unanswerable.ts";
import type { Truth } from "./truth.ts";

const RULES: Readonly<Record<string, Rule>> = {
  ...THING_RULES,
  ...HAPPENING_RULES,
  ...PURPOSE_RULES,
  ...FAMILY_RULES,
};
/** Kinds about the past: what was seen need not still be there. */
const PAST = new Set([
  "temporal",
  "change",
  "ego",
  "motion",
  "carried",
  "multimodal",
  "compound",
  "predictive",
]);

/**
 * Derives the answer of a question again from truth.json alone, by other means than the generator: plain data,
 * geometry of its own, linear scans. Returns the first fault, undefined when all is well.
 */
export function checkQuestion(question: QuestionRecord, truth: Truth): string | undefined {
  const parsed = questionSchema.safeParse(question);
  if (!parsed.success) return `not a question: ${parsed.error.issues[0]?.message}`;
  const asked = new Asked(truth, question);
  const fault = first(wording(question), options(question), referents(asked), times(asked), path(asked));
  if (fault !== undefined) return fault;
  if (!question.answerable) return unanswerable(asked);
  const rule = RULES[question.subtype];
  return rule === undefined ? `no rule for ${question.subtype}` : (seen(asked) ?? rule(asked));
}

/** All words come from one set of wordings, and no wording is in both. */
function wording({ text, paraphrases: { dev, test } }: QuestionRecord): string | undefined {
  const both = new Set(dev.map(folded));
  return first(
    must(dev.includes(text) || test.includes(text), "the text is none of its wordings"),
    must(dev.length > 0 && test.length > 0, "a set of wordings is empty"),
    must(!test.some((words) => both.has(folded(words))), "a wording is in both sets"),
    must(![text, ...dev, ...test].some((words) => /[{}]|undefined|NaN/.test(words)), "a slot was left open"),
  );
}

function folded(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

function options({ options: given, answer, extra }: QuestionRecord): string | undefined {
  if (given === undefined) return undefined;
  const at = answer.type === "choice" ? answer.letter.charCodeAt(0) - 65 : -1;
  const distinct = new Set(given.map((option) => option.toLowerCase()));
  const alsoRight = given.filter((option, i) => i !== at && extra.includes(option));
  return first(
    must(distinct.size === given.length && given.length === 4, "four different options"),
    must(given[at] === answer.text, "the letter names the right option"),
    must(alsoRight.length === 0, `${alsoRight.join(", ")} would be right too`),
  );
}

interface Claim {
  readonly id: string;
  readonly dev: string;
  readonly test: string;
  readonly nouns: readonly string[];
  readonly colour?: string;
  readonly room?: string;
  readonly says?: string;
}

/** Every phrase means one thing of the house, and stands in the question. */
function referents(a: Asked): string | undefined {
  for (const claim of a.about<Claim[]>("referents")) {
    for (const noun of claim.nouns) {
      const meant = a.truth.things.filter((thing) => {
        if (
          thing.type === "structure" ||
          !(thing.type === "person" ? thing.name === noun : fits(thing, noun))
        )
          return false;
        if (claim.colour !== undefined && thing.colour !== claim.colour) return false;
        if (claim.says !== undefined && thing.text !== claim.says) return false;
        if (claim.room !== undefined) return a.place(thing.id)?.room === claim.room;
        return a.truth.file.histories[thing.id]!.segments.some(
          ({ fromUs, placement }) => fromUs <= a.atUs && placement !== undefined,
        );
      });
      if (meant.length !== 1 || meant[0]!.id !== claim.id)
        return `"${claim.dev}" could mean ${meant.map(({ id }) => id).join(", ") || "nothing"}`;
    }
    const said = a.question.text.toLowerCase();
    if (!said.includes(claim.dev.toLowerCase()) && !said.includes(claim.test.toLowerCase()))
      return `"${claim.dev}" is not in the question`;
  }
  return undefined;
}

/** docs/formulas.md#questions: facts were visible in three frames with sixty pixels before the moment of asking. */
function seen(a: Asked): string | undefined {
  const isPast = PAST.has(a.question.type) || a.question.subtype === "state/last-seen";
  const isNews = a.question.suite === "collab";
  for (const id of a.targets) {
    const known = isPast || isNews ? a.clear(id).length >= FRAMES : a.isKnown(id);
    if (!known) return `${id} was not seen well enough`;
  }
  const own = isNews
    ? a.truth.sightings(a.targets[0]!, a.atUs, 1, (agent) => agent === a.question.askedOf)
    : [];
  return must(own.length === 0, `${a.question.askedOf} saw it itself`);
}

function times({ question }: Asked): string | undefined {
  const { evidenceTimesUs, askedAtUs, answerable } = question;
  const isEmptyFine = !answerable || question.type === "existence" || question.type === "ego";
  return first(
    must(
      evidenceTimesUs.every((t) => t <= askedAtUs),
      "evidence after the moment of asking",
    ),
    must(isEmptyFine || evidenceTimesUs.length > 0, "no evidence"),
  );
}

/** No walk is shorter than the straight line to its last viewpoint, and each of them is in a room. */
function path(a: Asked): string | undefined {
  const { minPath, start } = a.question;
  if (minPath === undefined || start === undefined) return undefined;
  let line = 0;
  let here = start.position;
  for (const { position } of minPath.viewpoints) {
    line += Math.hypot(position.x - here.x, position.y - here.y, position.z - here.z);
    here = position;
    if (a.truth.roomOf(position) === undefined) return "a viewpoint outside every room";
  }
  return must(minPath.m >= line - 0.2, `a walk of ${minPath.m} m cannot pass viewpoints ${line} m apart`);
}
