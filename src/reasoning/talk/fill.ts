import { pathOf } from "../../belief/labels.ts";
import { isKindOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node, print } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import { nodesCalled } from "../rival-values.ts";
import { againOf, isOther } from "./again.ts";
import { agentOf, ofRobot, otherRobot } from "./by-robot.ts";
import { type Mention, mentionsIn, type Referent } from "./mentions.ts";
import { ofEachOfTwo } from "./of-two.ts";
import { allTold, lastBoth } from "./picked.ts";
import { previousFor } from "./previous.ts";
import { COSTS, costOf, isOf, isOne, type Wants, wantedBy } from "./score.ts";
import { type Filled, nodeOf, type Spoken, spokenIn } from "./spoken.ts";
import { thenOf } from "./then.ts";
import type { Turn } from "./turn.ts";

/** What a conversation offers for the open places of a question. */
export interface Talk {
  readonly turns: readonly Turn[];
  readonly spoken: readonly Spoken[];
  readonly mentions: readonly Mention[];
}

/** The most fillings that are kept at each place, and of a whole question. */
const MOST_WAYS = 4;

/** Words for two that may have been mentioned apart. */
const BOTH = /\b(?:both|the two|either|neither|they|them|those|which (?:one|is))\b/i;

/** What the turns leave for a question in these words. */
export async function talkOf(text: string, turns: readonly Turn[], scope: Scope): Promise<Talk> {
  const each = await spokenIn(turns, scope);
  const hasSet = each.some(({ things, ago }) => things.length > 1 && ago === 0);
  const spoken = BOTH.test(text) && !hasSet ? [...each, ...lastBoth(each)] : each;
  return { turns, spoken, mentions: mentionsIn(text, spoken) };
}

/** The expressions that a question with open places may mean, the likeliest first; none where nothing fits. */
export async function fillings(part: Expression, talk: Talk, scope: Scope): Promise<readonly Filled[]> {
  if (!goesOn(part)) return [{ expression: part, cost: 0 }];
  const asked = talk.turns.at(-1)!.parts.at(-1)?.expression;
  // "Robot 2, where are you? And the other one?"
  if (asked && agentOf(asked) !== undefined && part.op === "again" && isOther(part.of[0]!)) {
    const other = await otherRobot(talk.turns, scope);
    if (other !== undefined) return [{ expression: ofRobot(asked, other), cost: 0 }];
  }
  const found = new Map<string, Filled>();
  for (const timed of await withThen(part, talk.turns, scope))
    for (const whole of ofEachOfTwo(timed.expression, talk.turns) ?? [timed.expression])
      for (const spoken of withSpoken(whole, talk))
        for (const again of withAgain(spoken.expression, talk)) {
          const expression = previousFor(again.expression, talk.turns.at(-1)!).find(isExpression);
          if (!expression) continue;
          const key = print(expression);
          const cost = timed.cost + spoken.cost + again.cost;
          if (cost < (found.get(key)?.cost ?? Infinity)) found.set(key, { expression, cost });
        }
  return cheapest([...found.values()]);
}

/** What is likely meant by a mention, or at a place of an expression, the likeliest first. */
export function referents(
  spoken: readonly Spoken[],
  wants: readonly Wants[],
): readonly (Referent & { readonly cost: number })[] {
  return spoken
    .flatMap((meant) => {
      const costs = wants.flatMap((one) => costOf(meant, one) ?? []);
      return costs.length > 0 ? [{ meant, node: nodeOf(meant), cost: Math.min(...costs) }] : [];
    })
    .sort((a, b) => a.cost - b.cost)
    .map((one, n) => ({ ...one, cost: one.cost + n * COSTS.next }));
}

function cheapest(all: readonly Filled[]): readonly Filled[] {
  return all.toSorted((a, b) => a.cost - b.cost).slice(0, MOST_WAYS);
}

/** With a time for `then()`, the last turn's first; at any time where there is none. */
async function withThen(part: Expression, turns: readonly Turn[], scope: Scope): Promise<readonly Filled[]> {
  const visit = isOfVisit(turns) ? ofThatVisit(part) : part;
  if (nodesCalled("then", visit).length === 0) return [{ expression: part, cost: 0 }];
  const found: Filled[] = visit === part ? [] : [{ expression: part, cost: COSTS.place }];
  for (const [ago, turn] of turns.slice(-2).toReversed().entries()) {
    const then = await thenOf(turn, scope);
    // Nothing is known of what comes after now.
    const isAhead =
      Number(then?.with["toUs"]) >= scope.memory.nowUs && nodesCalled("after", visit).length > 0;
    const late = isAhead ? COSTS.sort : 0;
    if (then) found.push({ expression: atThen(visit, then), cost: ago * COSTS.turnBack + late });
  }
  return found.length > 0 ? found : [{ expression: atThen(visit, undefined), cost: 0 }];
}

/** Whether the last answer told of one stay of a robot or person, not of a room. */
function isOfVisit(turns: readonly Turn[]): boolean {
  const last = turns.at(-1)?.parts.at(-1);
  if (last?.value.kind !== "words" || last.value.items.length !== 1) return false;
  return ["stay", "doings"].some((op) => nodesCalled(op, last.expression).length > 0);
}

/** "Which room did you go to next?": after the stay that was told of, not after the first one there. */
function ofThatVisit(part: Expression): Expression {
  const [time] = part.of;
  const isStay = time?.op === "when" && time.of[0]?.op === "stay" && nodesCalled("spoken", time).length > 0;
  if ((part.op === "after" || part.op === "before") && isStay) return { ...part, of: [node("then")] };
  return { ...part, of: part.of.map(ofThatVisit) };
}

function atThen(part: Expression, then: Expression | undefined): Expression {
  if (part.op === "then") return then ?? part;
  const of = part.of.map((one) => atThen(one, then));
  return part.op === "at" && of[1]?.op === "then" ? of[0]! : { ...part, of };
}

/** With what `spoken()` and `there()` may stand for. */
function withSpoken(part: Expression, talk: Talk): readonly Filled[] {
  // "When did you last look at that one?" has no place in its words.
  const saysPlace = talk.mentions.length === 0 || talk.mentions.some(({ isPlace }) => isPlace);
  const put = (one: Expression, parent?: Expression, n = 0): readonly Filled[] => {
    if (
      one.op === "in" &&
      isBareThings(one.of[0]) &&
      talk.mentions.some(({ words }) => /^there$/i.test(words))
    )
      return cheapest(
        placesFor(undefined, 1, talk).map(({ meant, node: place, cost }) => ({
          expression: isOf("room", meant)
            ? { ...one, of: [one.of[0]!, place] }
            : node("relate", [one.of[0]!, place], { relation: "on" }),
          cost,
        })),
      );
    if (one.op === "there" || one.op === "spoken")
      return (one.op === "there" && saysPlace ? placesFor(parent, n, talk) : subjectsFor(parent, n, talk))
        .map(({ node: expression, cost }) => ({ expression, cost }))
        .slice(0, MOST_WAYS);
    return one.of.reduce<readonly Filled[]>(
      (ways, inner, at) => {
        const each = put(inner, one, at);
        return cheapest(
          ways.flatMap(({ expression, cost }) =>
            each.map((filled) => ({
              expression: { ...expression, of: [...expression.of, filled.expression] },
              cost: cost + filled.cost,
            })),
          ),
        );
      },
      [{ expression: { ...one, of: [] }, cost: 0 }],
    );
  };
  return put(part);
}

/** "What else is there?": on the table that was told of, rather than in its room. */
function isBareThings(part: Expression | undefined): boolean {
  return part?.op === "things" && Object.keys(part.with).length === 0;
}

/** What may be put in an open place. */
interface Placed {
  readonly node: Expression;
  readonly cost: number;
}

/** What the last question asked about another side of. */
function anchorsOf(turns: readonly Turn[], { with: { relation } }: Expression): readonly Expression[] {
  const asked = turns.at(-1)?.parts.at(-1)?.expression;
  const [last] = asked ? nodesCalled("relate", asked) : [];
  const isFurther = last && sideOf(last.with["relation"]) === sideOf(relation);
  return last?.of[1] && !isFurther ? [last.of[1]] : [];
}

/** "And one further down?" goes on to the same side. */
function sideOf(relation: unknown): unknown {
  return relation === "under" ? "below" : relation;
}

/** What `spoken()` may stand for as an argument of an operator. */
function subjectsFor(
  parent: Expression | undefined,
  n: number,
  { turns, mentions, spoken }: Talk,
): readonly Placed[] {
  // "What else is there?" means everything that was listed.
  if (parent?.op === "minus" && n === 1) return referents(allTold(spoken), [{}]);
  // "What is above it? And below?": of the same thing.
  const anchors = parent?.op === "relate" && mentions.length === 0 ? anchorsOf(turns, parent) : [];
  if (anchors.length > 0) return anchors.map((one) => ({ node: one, cost: 0 }));
  const picked = mentions.find(({ picked: some }) => some !== undefined)?.picked;
  if (picked) return picked.map((one) => ({ ...one, cost: 0 }));
  const wanted = wantedBy(parent, n);
  const isPlace = wanted.holds !== undefined;
  const usable = mentions.filter(
    (one) =>
      (isPlace || !one.isPlace) &&
      (wanted.sort === undefined || one.wants.sort === undefined || one.wants.sort === wanted.sort),
  );
  // Several of which one is chosen: "which of them has a cushion on it?"
  const merged = usable.map(({ wants }) => ({
    ...wants,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  }));
  return referents(spoken, merged.length > 0 ? merged : [wanted]);
}

/** What `there()` may stand for: a room, or what bears or contains things. */
function placesFor(
  parent: Expression | undefined,
  n: number,
  { spoken }: Talk,
): readonly (Referent & { readonly cost: number })[] {
  // "At the bottom of that bay": of the bay of a slot or of its contents.
  if (parent?.op === "relate" && parent.of[0]?.with["category"] === "slot") {
    const bays = spoken.flatMap((meant) => baysOf(meant).map((name) => ({ meant, name })));
    if (bays.length > 0)
      return bays.map(({ meant, name }, rank) => ({
        meant,
        node: node("called", [], { name }),
        cost: rank * COSTS.next,
      }));
  }
  const { sort } = wantedBy(parent, n);
  const places = spoken.filter((one) => isOne(one) && (isOf("room", one) || isOf("thing", one)));
  return referents(places, [{ sort: sort === "room" ? sort : undefined, holds: "at" }]).filter(
    ({ cost }) => cost < COSTS.sort,
  );
}

/** The code of the bay that a slot is in, or in which a thing lies. */
function baysOf({ things: [thing, ...more] }: Spoken): readonly string[] {
  if (!thing || more.length > 0) return [];
  const { slot, name, category } = thing;
  const path = slot?.path ?? (isKindOf(category, "shelf") || category === "slot" ? pathOf(name) : undefined);
  return path && path.length > 2 ? [path.slice(0, -1).join("-")] : [];
}

/** With the previous question about another subject in the place of `again(x)`. */
function withAgain(part: Expression, talk: Talk): readonly Filled[] {
  if (part.op === "again") return againOf(part.of[0]!, talk.turns, talk.spoken);
  const at = part.of.findIndex((one) => nodesCalled("again", one).length > 0);
  if (at < 0) return [{ expression: part, cost: 0 }];
  return withAgain(part.of[at]!, talk).map(({ expression, cost }) => ({
    expression: { ...part, of: part.of.with(at, expression) },
    cost,
  }));
}

/** Whether it has no open places, and is valid. */
function isExpression(one: Expression): boolean {
  if (goesOn(one)) return false;
  try {
    kindOf(one);
    return true;
  } catch {
    return false;
  }
}
