import type { KnownThing } from "../../belief/thing.ts";
import type { WordsItem, WordsValue } from "../algebra/value.ts";
import { noteText } from "../from-notes.ts";
import { countedList, isPlural, list, numberWord, plural, withThe } from "./grammar.ts";
import { nounOf, quoted, theThing, toldApart } from "./naming.ts";
import { figureText } from "./numbers.ts";
import { positionOf, type SayContext, type Spoken, setOf } from "./said.ts";
import { placeWithStanding } from "./standing.ts";
import { sayNames } from "./things.ts";

/** Topics whose words identify things: the things themselves are named. */
const NAMES: ReadonlySet<string> = new Set(["name", "kind", "category"]);

/** Words by their topic: names, places, text, a value of one or of several things. */
export async function sayWords(value: WordsValue, context: SayContext, asked?: string): Promise<Spoken> {
  const isName = NAMES.has(value.about);
  const items = value.items.filter(
    ({ words, thing, room }) => words.trim() !== "" || (isName && (thing || room)),
  );
  const [first] = items;
  if (!first)
    return { type: "text", status: "insufficient", text: `I cannot tell the ${value.about || "answer"}.` };
  if (isName) return sayNames(items, value.complete, context, asked);
  switch (value.about) {
    case "motion":
      return sayMotion(first);
    case "comparison":
    case "tie":
      return { type: "text", text: compared(value), set: setOf([first.words]) };
    case "action": {
      const what = first.thing ? theThing(first.thing) : first.room ? withThe(first.room.name) : "";
      return { type: "text", text: `${first.words.trim()} ${what}`, ...(await placed(first, context)) };
    }
    case "note":
      return {
        type: "text",
        text: items
          .map(({ words, atUs }) => noteText(words, atUs ?? context.nowUs, context.nowUs))
          .join("; "),
        ...(await placed(first, context)),
      };
    case "description":
    case "caption":
      return {
        type: "text",
        text: items.map(({ words }) => words.trim()).join(" "),
        ...(await placed(first, context)),
      };
    case "place": {
      const said = await sayPlaces(items, context);
      const where = await placed(first, context);
      return { ...said, ...where, ...(where.position && { type: "position" as const }) };
    }
    default: {
      const said = await sayValues(items, value.about, context);
      const text = value.fewer === undefined ? said.text : `${value.fewer}: ${said.text}`;
      return { ...said, text, ...(await placed(first, context)) };
    }
  }
}

/** "chairs (6 against 4)"; "the same (4)". */
function compared({ about, items, measured = [] }: WordsValue): string {
  const numbers = [...new Set(measured.flatMap((one) => figureText(one) ?? []))];
  const said = items[0]!.words.trim();
  if (numbers.length === 0) return said;
  return `${said} (${about === "tie" ? numbers[0]! : numbers.join(" against ")})`;
}

/** The place that the words give; a goal, so that a robot can go there. */
async function placed(
  { thing, room, point }: WordsItem,
  context: SayContext,
): Promise<Pick<Spoken, "position" | "goal" | "goalPlace">> {
  if (thing && !point) {
    const position = await positionOf(thing, context);
    return { ...(position && { position }), goal: thing };
  }
  if (!point) return { goal: thing };
  const region = room?.name;
  return {
    position: {
      point,
      frame: "world",
      ...(thing && { trackId: thing.trackId }),
      ...(region !== undefined && { region }),
    },
    goal: thing,
    ...(!thing && { goalPlace: point }),
  };
}

/** The place; for a room its name first. */
async function sayPlaces(items: readonly WordsItem[], context: SayContext): Promise<Spoken> {
  const said = items.map((item) => {
    const words = item.words.trim();
    const isRoom = item.room !== undefined && item.thing === undefined && !words.includes(item.room.name);
    const told = isRoom ? `${withThe(item.room!.name)}: ${words}` : words;
    const { thing, standing } = item;
    return {
      ...item,
      words: thing && standing ? placeWithStanding(told, thing, standing, context.nowUs) : told,
    };
  });
  return sayValues(said, "place", context);
}

async function sayValues(items: readonly WordsItem[], about: string, context: SayContext): Promise<Spoken> {
  const say = (words: string) => (about === "text" ? quoted(words) : words.trim());
  const byThing = new Map<string, { thing: KnownThing; words: string[] }>();
  for (const { thing, words } of items) {
    if (!thing) continue;
    const one = byThing.get(thing.trackId);
    if (one) one.words.push(say(words));
    else byThing.set(thing.trackId, { thing, words: [say(words)] });
  }
  const all = items.map(({ words }) => words.trim());
  const base = { type: "text", set: setOf(all) } as const;
  if (byThing.size < 2) return { ...base, text: list([...new Set(all.map(say))]) };
  const owned = [...byThing.values()].map(({ thing, words }) => ({
    thing,
    words: list([...new Set(words)]),
  }));
  return { ...base, text: await sayOfSeveral(owned, context, about === "place") };
}

/**
 * One value for each of several things, equal ones together: "both are closed", "two are open, one is closed", "the
 * mug is red, the plate is white".
 */
export async function sayOfSeveral(
  owned: readonly { readonly thing: KnownThing; readonly words: string }[],
  { surroundings }: SayContext,
  isPlace = false,
): Promise<string> {
  const groups = new Map<string, KnownThing[]>();
  for (const { thing, words } of owned) groups.set(words, [...(groups.get(words) ?? []), thing]);
  const nouns = new Set(owned.map(({ thing }) => nounOf(thing)));
  const [noun] = nouns;
  const n = owned.length;
  if (groups.size === 1) return `${n === 2 ? "both" : `all ${numberWord(n)}`} are ${owned[0]!.words}`;
  if (nouns.size === 1 && noun !== undefined) {
    const single = [...groups.values()].every((things) => things.length === 1) && n <= MOST_APART;
    if (!single || isPlace) {
      const parts = Array.from(groups, ([words, things]) => `${numberWord(things.length)} ${words}`);
      const whole = n === 2 ? `both ${plural(noun)}` : `${numberWord(n)} ${plural(noun)}`;
      return `${whole}: ${list(parts)}`;
    }
  }
  if (n > MOST_APART) {
    const parts = Array.from(groups, ([words, things]) => `${countedList(things.map(nounOf))}: ${words}`);
    return parts.join("; ");
  }
  const labels = await toldApart(
    owned.map(({ thing }) => thing),
    surroundings,
  );
  if (labels.some((label) => /^number \d/.test(label)))
    return `${n === 2 ? "both" : numberWord(n)} ${plural(noun!)}: ${list(owned.map(({ words }) => `one ${words}`))}`;
  return list(
    owned.map(({ words, thing }, at) => `${labels[at]} ${isPlural(nounOf(thing)) ? "are" : "is"} ${words}`),
  );
}

/** Up to this many things are distinguished one by one; of more, equal values are counted. */
const MOST_APART = 4;

function sayMotion({ words, thing }: WordsItem): Spoken {
  const said = words.trim();
  const moving = !/\b(?:still|not (?:moving|turning)|stood|did not)\b/.test(said);
  const turn = /counter-?clockwise/.test(said)
    ? "counter-clockwise"
    : /clockwise/.test(said)
      ? "clockwise"
      : undefined;
  return {
    type: "motion",
    text: said,
    motion: {
      moving,
      frame: "ego",
      ...(moving && { direction: said.slice(0, 256) }),
      ...(turn && { turn }),
    },
    goal: thing,
  };
}
