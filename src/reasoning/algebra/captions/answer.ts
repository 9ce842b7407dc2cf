import { evidenceOfRecord } from "../../../belief/trust.ts";
import { distance } from "../../../geometry/index.ts";
import { wordsOf } from "../../../memory/lexical.ts";
import { expand } from "../../../ontology/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import type { Scope } from "../operator.ts";
import { timesValue } from "../time/spans.ts";
import { numberValue, truthValue, unknownValue, type Value, wordsValue } from "../value.ts";
import type { CaptionQuestion } from "./caption-question.ts";
import { type Caption, captionsFor, scoreOf } from "./captions.ts";
import { byOwnWay } from "./own-way.ts";

/** Captions within this share of the best are as good: then order in time or distance decides. */
const AS_GOOD = 0.9;
/** A caption that covers this much of a question's weight is about it. */
const ABOUT_IT = 0.45;
const MOST_OF_IT = 0.55;
const SOMETHING_OF_IT = 0.2;
/** Fit of a word or synonym, not of a subordinate kind. */
const BY_NAME = 0.9;
/** A meaning this far above that of unrelated texts compensates for missing words. */
const CLEAR_Z = 3;
/** The largest gap between captions of one episode. */
const SPELL_US = 60_000_000;
/** Things mentioned at places this far apart count as different ones. */
const APART_M = 20;
const FUTURE = /\b(?:will|tomorrow|going to|next (?:week|month|year|time))\b/;

/**
 * Answers from captions alone, for memories without things: captioned drives, notes, diaries. The best caption gives
 * the place, the time or the content of the answer. The robot's own actions come from its poses and from whether
 * captions describe indoors or outdoors.
 */
export async function fromCaptions(
  question: CaptionQuestion,
  items: readonly Evidence[],
  weak: boolean,
  scope: Scope,
): Promise<Value> {
  if (FUTURE.test(question.text))
    return unknownValue("future", "I remember what was, and cannot tell what will be.");
  const captions = await captionsFor(question, items, scope);
  const own = await byOwnWay(question, captions, scope);
  if (own) return own;
  const best = pick(question, captions, scope);
  const strange = best !== undefined && (await isStrange(question, captions, scope));
  if (!best || (strange && question.answer !== "truth"))
    return unknownValue("never-seen", "I remember nothing about that.", { p: 0.5 });
  const evidence = [best, ...captions.filter((one) => one !== best)]
    .slice(0, 6)
    .map((one) =>
      evidenceOfRecord(one.record, one.line.slice(0, 300), Math.min(1, scoreOf(one) / 2), one.position),
    );
  const atUs = best.record.validFromUs;
  const p = weak ? 0.35 : 0.35 + 0.4 * best.cover;
  const known = { p, evidence };
  const item = { words: best.line, p, point: best.position, atUs };
  switch (question.answer) {
    case "truth": {
      const yes = opposed(question, captions) ?? !strange;
      const sure = yes ? 0.45 + 0.4 * best.cover : 0.55;
      const shown = yes ? wordsValue("caption", [item], known) : undefined;
      return truthValue(yes !== (question.negated ?? false), { p: sure, evidence }, { shown });
    }
    case "times":
      return timesValue([{ fromUs: atUs, toUs: atUs + 1 }], known);
    case "duration":
      return numberValue(spellS(captions, best), "s", known);
    case "count":
      return numberValue(countIn(question, captions), "things", { p: 0.3, evidence });
    default: {
      const colour = question.attribute === "colour" ? colourIn(question, [best, ...captions]) : undefined;
      const about = colour ? "colour" : question.answer === "place" ? "place" : "caption";
      return wordsValue(about, [{ ...item, words: colour ?? best.line }], known);
    }
  }
}

/** The best caption; of equally good ones the last, the first or the nearest, as the question asks. */
function pick(
  { nearest, order }: CaptionQuestion,
  captions: readonly Caption[],
  { pose }: Scope,
): Caption | undefined {
  if (nearest && pose) {
    // Any place that has one will do, the nearest best: so all that name it count, however well they fit.
    const most = Math.max(0, ...captions.map(({ cover }) => cover));
    const having = captions.filter(({ cover, position }) => position && cover > 0 && cover >= most * AS_GOOD);
    const away = ({ position }: Caption) => distance(position!, pose.position);
    if (having.length > 0) return having.toSorted((a, b) => away(a) - away(b))[0];
  }
  const top = Math.max(0, ...captions.map(scoreOf));
  const good = captions.filter((one) => scoreOf(one) >= top * AS_GOOD);
  if (order === undefined) return good[0];
  return good.toSorted(
    (a, b) => (order === "last" ? -1 : 1) * (a.record.validFromUs - b.record.validFromUs),
  )[0];
}

/** No caption names what is asked about, in any word, and none is near it in meaning. */
async function isStrange(
  { answer, about: phrase, text }: CaptionQuestion,
  captions: readonly Caption[],
  { memory }: Scope,
): Promise<boolean> {
  // "Did you see it?" requires that a caption mentions all of it; "where" and "when" presuppose that it was seen.
  const about = captions.some(({ named, cover, whole }) => {
    const said = Math.max(cover, whole);
    if (answer === "truth") return said >= (named > 0 ? ABOUT_IT : MOST_OF_IT);
    return named >= BY_NAME || said >= SOMETHING_OF_IT;
  });
  if (about) return false;
  const [near] = await memory.like(phrase ?? text, { kinds: ["caption"], limit: 1 });
  const background = memory.options.background;
  const cosine = near?.scores.meaning;
  if (cosine === undefined || background === undefined) return true;
  return (cosine - background.mean) / background.sd < CLEAR_Z;
}

/** States that exclude each other, for "was it busy": the opposite means no. */
const OPPOSITES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ["busy", "crowded", "bustling", "lively", "full"],
    ["quiet", "calm", "empty", "deserted", "serene", "peaceful", "vacant"],
  ],
  [["open"], ["closed", "shut"]],
  [
    ["wet", "rainy"],
    ["dry", "sunny"],
  ],
  [
    ["dark", "dim"],
    ["bright", "lit"],
  ],
  [
    ["clean", "tidy"],
    ["dirty", "messy", "littered"],
  ],
];

/** Whether captions about the thing give the state asked for, or its opposite; undefined when they give neither. */
function opposed({ text, state }: CaptionQuestion, captions: readonly Caption[]): boolean | undefined {
  const asked = new Set(wordsOf(`${text} ${state ?? ""}`));
  for (const [some, others] of OPPOSITES) {
    const [yes, no] = some.some((word) => asked.has(wordsOf(word)[0]!))
      ? [some, others]
      : others.some((word) => asked.has(wordsOf(word)[0]!))
        ? [others, some]
        : [];
    if (!yes || !no) continue;
    const about = captions.filter(({ named }) => named > 0).slice(0, 3);
    const said = (words: readonly string[]) =>
      about.filter(({ record }) => {
        const bag = new Set(record.text.flatMap((line) => wordsOf(line)));
        return words.some((word) => bag.has(wordsOf(word)[0]!));
      }).length;
    const [forIt, against] = [said(yes), said(no)];
    if (forIt !== against) return forIt > against;
  }
  return undefined;
}

/** How long captions with the same content went on around the best one. */
function spellS(captions: readonly Caption[], best: Caption): number {
  const about = captions
    .filter((one) => one.cover >= best.cover * AS_GOOD)
    .toSorted((a, b) => a.record.validFromUs - b.record.validFromUs);
  let [fromUs, toUs] = [best.record.validFromUs, best.record.validToUs ?? best.record.validFromUs];
  for (const { record } of about)
    if (record.validFromUs >= fromUs && record.validFromUs - toUs <= SPELL_US)
      toUs = Math.max(toUs, record.validToUs ?? record.validFromUs);
  for (const { record } of about.toReversed())
    if (record.validFromUs < fromUs && fromUs - record.validFromUs <= SPELL_US) fromUs = record.validFromUs;
  return (toUs - fromUs) / 1e6;
}

/** The last word of the question's topic, and its synonyms. */
function namesOf({ about }: CaptionQuestion): ReadonlySet<string> {
  const head = wordsOf(about ?? "").at(-1);
  return head === undefined
    ? new Set()
    : new Set([head, ...expand(head).same.flatMap((word) => wordsOf(word))]);
}

/** The number of things in captions: the number before the name at each place, added over separate places. */
function countIn(question: CaptionQuestion, captions: readonly Caption[]): number {
  const names = namesOf(question);
  const counted: { n: number; one: Caption }[] = [];
  for (const one of captions) {
    const n = Math.max(0, ...one.record.text.map((line) => numberIn(line, names)));
    if (n === 0) continue;
    const near = counted.find(
      ({ one: { position } }) => position && one.position && distance(position, one.position) < APART_M,
    );
    if (near) near.n = Math.max(near.n, n);
    else counted.push({ n, one });
  }
  return counted.reduce((sum, { n }) => sum + n, 0);
}

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "two parked cars" is two, "several cars" at least three, "cars" two, "a car" one. */
function numberIn(line: string, names: ReadonlySet<string>): number {
  const words = line.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let most = 0;
  words.forEach((word, n) => {
    if (!names.has(wordsOf(word)[0] ?? "")) return;
    const before = words.slice(Math.max(0, n - 3), n);
    const number = before
      .map((one) => NUMBERS.indexOf(one) + 1 || Number(one))
      .findLast((value) => value >= 1);
    const several = before.some((one) => /^(?:several|few|many|various|multiple|some)$/.test(one));
    most = Math.max(most, number ?? (several ? 3 : /s$/.test(word) ? 2 : 1));
  });
  return most;
}

const COLOURS = new Set(
  "red green blue yellow orange purple pink brown black white grey gray beige tan silver gold turquoise teal maroon navy cream".split(
    " ",
  ),
);

/** The colour word nearest before the name of what was asked about. */
function colourIn(question: CaptionQuestion, captions: readonly Caption[]): string | undefined {
  const names = namesOf(question);
  for (const { record } of captions.slice(0, 6)) {
    for (const line of record.text) {
      const words = line.toLowerCase().match(/[a-z]+/g) ?? [];
      const at = words.findIndex((word) => names.has(wordsOf(word)[0] ?? ""));
      if (at < 0) continue;
      const near = words
        .map((word, n) => ({ word, far: n < at ? at - n : 2 * (n - at) }))
        .filter(({ word, far }) => COLOURS.has(word) && far <= 12)
        .sort((a, b) => a.far - b.far)[0];
      if (near) return near.word;
    }
  }
  return undefined;
}
