import type { KnownThing } from "../../belief/thing.ts";
import { NAMELESS } from "../../schema/core.ts";
import type { Expression } from "../../schema/index.ts";
import { ANYTHING, type ThingsValue, type TruthValue, type Value } from "../algebra/value.ts";
import { caveat } from "./completeness.ts";
import { agoText } from "./figures.ts";
import { anyOf, list, numberWord } from "./grammar.ts";
import { aboutWhom, aThing, phraseOr, roomText, theThing, toldApart } from "./naming.ts";
import { positionOf, type SayContext, type Spoken, setOf } from "./said.ts";
import { happening, sayEvents, sayRooms, sayThings, whenOf } from "./things.ts";

/** The most things listed as a reason. */
const MOST_REASONS = 6;
/** The completeness from which the answer may claim to have looked. */
const LOOKED = 0.9;
/** The most things of one name that are distinguished. */
const MOST_APART = 4;

/** Yes or no, with the reason: the evidence, or what is true instead. */
export async function sayTruth(root: Expression, value: TruthValue, context: SayContext): Promise<Spoken> {
  const { truth, instead, shown } = value;
  const word = truth ? "yes" : "no";
  const thing = thingOf(shown);
  const position = await positionOf(thing, context);
  const base = {
    type: "binary",
    binary: truth,
    goal: thing,
    ...(position && { position }),
    ...(shown?.kind === "things" &&
      shown.things.length > 0 && { set: setOf(shown.things.map(({ name }) => name)) }),
  } as const;
  if (instead !== undefined && instead.trim() !== "")
    return { ...base, text: `${word}, ${aboutWhom(withSubject(lower(instead.trim())), thing)}` };
  const reason = await reasonOf(root, value, context);
  const open = restsOnAbsence(root, truth) ? caveat(value.complete) : "";
  return { ...base, text: `${word}${reason === "" ? "" : `, ${reason}`}${open}` };
}

/** Whether an unobserved thing would change the answer. */
function restsOnAbsence({ op, of }: Expression, truth: boolean): boolean {
  if (op === "not" && of[0]) return restsOnAbsence(of[0], !truth);
  return op === "exists" ? !truth : op === "none" || op === "all" || op === "never" ? truth : false;
}

async function reasonOf(
  root: Expression,
  { truth, shown }: TruthValue,
  context: SayContext,
): Promise<string> {
  if (!shown) return "";
  switch (shown.kind) {
    case "things":
      return thingsReason(root, truth, shown, context);
    case "rooms":
      return shown.rooms.length === 0 ? "" : sayRooms({ ...shown, complete: closed }).text;
    case "events": {
      if (shown.events.length === 0) return "";
      const [last] = shown.events.slice(-1);
      const what = shown.things.at(-1);
      // The thing of an event is reported with it; a question whether a person went somewhere names the person already.
      return shown.events.length === 1
        ? what && HAPPENS.has(last!.type)
          ? `${happening(last!, what)} ${whenOf(last!, context.nowUs)}`
          : agoText(context.nowUs - last!.validFromUs)
        : sayEvents({ ...shown, complete: closed }, context).text;
    }
    case "words":
      return shown.items.length === 0 || truth
        ? ""
        : list(shown.items.map(({ words }) => words).filter(Boolean), 4);
    default:
      return "";
  }
}

/** Events that happen to things, as opposed to actions of people. */
const HAPPENS: ReadonlySet<string> = new Set(["move", "appear", "disappear", "state-change"]);

const closed = { share: 1, missing: [] } as const;

async function thingsReason(
  root: Expression,
  truth: boolean,
  shown: ThingsValue,
  context: SayContext,
): Promise<string> {
  const { things, elsewhere = [] } = shown;
  const [first] = things;
  if (!first) {
    // None here, but one there: the alternative. A thing without a name is none.
    const other = elsewhere.find(({ category }) => category !== NAMELESS);
    if (!truth && other && shown.phrase !== ANYTHING)
      return `but there is ${await withPlace(other, context)}`;
    return absence(shown, context);
  }
  switch (root.op) {
    case "exists":
    case "ever":
    case "none":
      if (root.op === "ever" && !truth) return "not as far as I saw";
      if (things.length === 1) return withPlace(first, context);
      return several(things, context);
    case "all":
      if (truth)
        return things.length === 2
          ? "both"
          : things.length > 2
            ? `all ${numberWord(things.length)}`
            : theThing(first);
      return `${things.length > 1 ? "these are not" : "this one is not"}: ${list(things.map(theThing), MOST_REASONS)}`;
    case "is":
      return truth && things.length === 1 ? stateOf(root, first) : "";
    default:
      return "";
  }
}

/** What was not seen, as far as the question names it. */
function absence({ phrase, where, complete }: ThingsValue, { knows }: SayContext): string {
  const noun = phraseOr(phrase, knows);
  const place = where === undefined ? "" : ` ${where}`;
  if (noun === ANYTHING && where !== undefined && complete.share >= LOOKED) return `there is nothing${place}`;
  if (noun.startsWith("“") || noun === "such a thing" || noun === ANYTHING) return "";
  return complete.share >= LOOKED && where !== undefined
    ? `I looked, and saw none${place}`
    : `I have not seen ${anyOf(noun)}${place}`;
}

/** The question's state repeated: "it is open". */
function stateOf({ with: { attribute, value } }: Expression, thing: KnownThing): string {
  if (value === undefined || attribute === "category" || attribute === "text" || attribute === "size")
    return "";
  return aboutWhom(`it is ${String(value)}`, thing);
}

/** "is off" needs a subject. */
function withSubject(sentence: string): string {
  return /^(?:is|was|has|says)\b/.test(sentence) ? `it ${sentence}` : sentence;
}

/** "two: the red one and the white one"; of many of one name the number alone. */
async function several(things: readonly KnownThing[], context: SayContext): Promise<string> {
  const n = numberWord(things.length);
  if (new Set(things.map(aThing)).size > 1)
    return `${n}: ${(await sayThings({ things, complete: closed }, context)).text}`;
  const labels = things.length <= MOST_APART ? await toldApart(things, context.surroundings) : [];
  return labels.length === 0 || /^number /.test(labels[0]!) ? n : `${n}: ${list(labels)}`;
}

/** "a mug on the counter in the kitchen". */
async function withPlace(thing: KnownThing, { surroundings }: SayContext): Promise<string> {
  const [holder, room] = [await surroundings?.holderOf(thing), await roomText(thing, surroundings)];
  return [aThing(thing), holder ?? "", room ?? ""].filter(Boolean).join(" ");
}

function thingOf(shown: Value | undefined): KnownThing | undefined {
  if (shown?.kind === "things") return shown.things[0];
  if (shown?.kind === "words") return shown.items[0]?.thing;
  return shown?.kind === "events" ? shown.things.find((thing) => thing !== undefined) : undefined;
}

function lower(sentence: string): string {
  return /^(?:It|There|They|The|An?|He|She|This|That|Nothing|Nobody|I have|I saw)\b/.test(sentence) &&
    !sentence.startsWith("I ")
    ? sentence[0]!.toLowerCase() + sentence.slice(1)
    : sentence;
}
