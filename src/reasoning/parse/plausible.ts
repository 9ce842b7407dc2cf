import type { Asks, Description, Need } from "../need.ts";
import { singularOf } from "./nouns.ts";
import { familyAt } from "./reading/families.ts";
import type { Form } from "./reading/roles.ts";

/** Kinds of need that may speak of nothing in particular. */
const OF_NOTHING: ReadonlySet<Asks> = new Set([
  "ego",
  "describe",
  "room",
  "function",
  "implicit",
  "capacity",
  "change",
]);

/** Words that no other need can be about. */
const ONLY: Readonly<Record<string, readonly Asks[]>> = {
  nearest: ["nearest", "compare", "locate", "recognise", "attribute", "count", "exist", "state"],
  biggest: ["compare", "attribute", "recognise", "locate", "room"],
  most: ["compare", "attribute", "recognise", "function", "implicit", "count"],
  colour: ["attribute", "relate", "compare", "count", "recognise", "describe"],
  material: ["attribute", "relate", "compare", "recognise"],
  height: ["size", "compare", "recognise", "attribute", "locate", "function"],
  fast: ["motion", "function"],
  carry: ["carry", "function", "locate", "change", "recognise"],
  sleep: ["capacity", "function", "implicit", "recognise", "locate", "exist", "count", "state"],
};

/**
 * Whether rules that read a question word by word have got it right, as far as one can tell from outside: names made
 * of words that belong to the grammar of questions ("kept", "find where") or things, rooms and times of the question
 * that are nowhere in the needs show that its form was not one of theirs.
 */
export function isPlausible(needs: readonly Need[], form: Form): boolean {
  return (
    needs.every(isSound) &&
    form.chunks.every(({ kind, symbol, from, to }) => {
      const text = form.text.slice(from, to);
      switch (kind) {
        case "thing":
        case "kind":
        case "room":
          return needs.some((need) => mentions(need, text));
        case "when":
        case "since":
          return needs.some(({ times }) => times.some(({ fromUs }) => fromUs !== undefined));
        case "word":
          return ONLY[symbol] === undefined || needs.some(({ asks }) => ONLY[symbol]!.includes(asks));
        default:
          return true;
      }
    })
  );
}

function isSound({ fallback, asks, subgoals }: Need): boolean {
  return (
    fallback === undefined &&
    subgoals.every(
      ({ target, relations, region }) =>
        !(isPlaceWord(target) && relations.some(({ predicate }) => predicate === "with")) &&
        (target.head === "object"
          ? relations.length > 0 || region !== undefined || isMarked(target) || OF_NOTHING.has(asks)
          : isName(target) && !NO_THING.test(target.head)) &&
        relations.every(({ anchor }) => !anchor || isName(anchor)) &&
        (!region || (isName(region) && region.head !== "place")),
    )
  );
}

/** "the location of the lamp" asks where the lamp is. */
const isPlaceWord = ({ head }: Description) =>
  /(?:^| )(?:location|position|place|spot|whereabouts)$/.test(head);

const isMarked = ({ attributes, deixis }: Description) =>
  deixis !== undefined || Object.keys(attributes).length > 0;

/** Families that have no place in a name. */
const NO_NAME = new Set(
  "see find look lie put keep have go enter get tell know moved walk carry take gone when where up ever is was do did can not what which how i you it that there one and or of to as at if whether than towards before after first last now still will spend list share same want suit nearest biggest closer more most".split(
    " ",
  ),
);

/** Words of questions that the rules may mistake for a thing. */
const NO_THING =
  /^(?:course|system|yours?(?: .*)?|location|position|number|amount|total|way|direction|in|on|at|appear|right|left|true|false|presence|existence|destination|route|whereabouts|spot|placement|discovery|displacement|order|record|black|white|red|green|blue|yellow|grey|brown|beige|orange|pink|purple|used|made|both|two|three|respective|exact|current)$/;

function isName({ head, mods }: Description): boolean {
  return [...head.split(" "), ...mods].every((word, n, all) => {
    const family = familyAt([word], 0)?.family;
    return (
      family === undefined ||
      !NO_NAME.has(family) ||
      (/(?:ing|ed)$/.test(word) && n < all.length - 1 - mods.length)
    );
  });
}

/** Whether what a chunk names is anywhere in a need: by the last word of its name. */
function mentions({ subgoals, compare, frame, times, verb, alternatives }: Need, chunk: string): boolean {
  const name = chunk.replace(/ (?:that|which|in|on|with|saying|labelled) .*$/, "");
  const head = singularOf(name.split(" ").at(-1)!);
  const isIt = (description: Description | undefined) => description?.head.split(" ").includes(head) ?? false;
  return (
    subgoals.some(
      ({ target, region, relations }) =>
        isIt(target) ||
        isIt(region) ||
        relations.some(({ anchor, anchor2 }) => isIt(anchor) || isIt(anchor2)),
    ) ||
    isIt(compare?.to) ||
    isIt(frame?.ref) ||
    isIt(frame?.facing) ||
    times.some(({ event }) => isIt(event?.target)) ||
    [verb, ...alternatives].some((said) => said?.split(" ").some((word) => singularOf(word) === head))
  );
}
