import { distance } from "../../geometry/index.ts";
import { evidenceOf, type Finding, type RuleContext, unknown } from "../finding.ts";
import type { Description, Need } from "../need.ts";
import { plain } from "../parse/noun-phrase.ts";
import { isLiveAt, type Thing } from "../recall/thing.ts";
import { placeOf, theName } from "../words/phrases.ts";
import { positionOf } from "./places.ts";

/** Words that stand for what is shown, when nothing more is said of it. */
const STANDS_FOR_IT = /^(?:object|thing|item|one|it|this|that|these|those|before|there one)$/;
const SHOWN = /\b(?:this|that|these|those|it)\b/;
const ANOTHER = /\b(?:another|others?|else|elsewhere|similar|same kind|such|more|second|different)\b/;

/** A need about what is shown, with "this" put in the memory's own words; as it was where it is about something else. */
export function grounded(need: Need, shown: Thing): Need {
  if (!SHOWN.test(need.text)) return need;
  const target: Description = {
    head: shown.category,
    mods: [],
    attributes: {},
    plural: false,
    phrase: shown.name,
    deixis: "this",
  };
  const subgoals = need.subgoals.map((goal, n) => {
    if (!(n === 0 ? isMeant(goal.target) : goal.target.deixis && isMeant(goal.target))) return goal;
    // "one of these" is read as something with something: what is shown is both.
    return { ...goal, target, relations: goal.relations.filter(({ predicate }) => predicate !== "with") };
  });
  return { ...need, subgoals };
}

function isMeant({ head, deixis, attributes, mods }: Description): boolean {
  if (STANDS_FOR_IT.test(head)) return mods.length === 0 && Object.keys(attributes).length === 0;
  return deixis !== undefined && !/room$|^(?:house|place|hall|kitchen|garage)/.test(head);
}

/** Whether a need is about what is shown. */
export function isAboutThis({ text, subgoals: [first] }: Need): boolean {
  return SHOWN.test(text) && first !== undefined && isMeant(first.target);
}

/** The picture shows nothing that was seen before. */
export function unrecognised({ answer, negated }: Need): Finding {
  return {
    status: "not-seen",
    ...(answer === "binary" && { binary: negated }),
    text: "I have not seen this before, as far as I can tell.",
    evidence: [],
    confidence: 0.6,
  };
}

/** Whether the question is for another one of the kind. */
export function asksForAnother({ text, subgoals }: Need): boolean {
  return subgoals[0]?.target.deixis !== undefined && SHOWN.test(text) && ANOTHER.test(text);
}

/** Where there is another one like this: of its kind, the most alike first, then the nearest. */
export async function another(need: Need, context: RuleContext): Promise<Finding> {
  const { recall } = context;
  const shown = (await recall.things(need.subgoals[0]!.target))[0];
  if (!shown) return unknown("Show me what you mean: I cannot see it.");
  const others = (await recall.things(plain(shown.category, shown.category))).filter(
    (thing) =>
      thing.trackId !== shown.trackId &&
      thing.category === shown.category &&
      isLiveAt(thing, recall.nowUs) &&
      !isItself(thing, shown),
  );
  const from = context.pose?.position ?? shown.position;
  const away = ({ position }: Thing) => (from && position ? distance(from, position) : Infinity);
  const [best, ...rest] = others.toSorted((a, b) => alike(b, shown) - alike(a, shown) || away(a) - away(b));
  if (!best)
    return {
      ...unknown(`I have seen no other ${shown.category}.`, "not-seen"),
      evidence: [evidenceOf(shown, `${theName(shown)} is the only one`)],
      confidence: 0.6,
    };
  const room = await recall.roomOf(best);
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: true }),
    text: await placeOf(best, recall),
    ...(best.position && { position: positionOf(best, room?.name) }),
    evidence: [best, ...rest.slice(0, 4)].map((one) => evidenceOf(one, theName(one))),
    confidence: 0.75 * (0.5 + 0.5 * shown.fit),
    goal: best,
  };
}

/** A second record of the thing itself, where it stands. */
function isItself({ position }: Thing, shown: Thing): boolean {
  return position !== undefined && shown.position !== undefined && distance(position, shown.position) < 0.5;
}

/** How many of the attributes that both have they share. */
function alike(a: Thing, b: Thing): number {
  return Object.entries(a.state.attributes).filter(
    ([name, { value }]) => b.state.attributes[name]?.value === value,
  ).length;
}
