import { Belief } from "../../../belief/belief.ts";
import type { Interval } from "../../../geometry/index.ts";
import { cuesOf } from "../../../retrieval/index.ts";
import type { Expression } from "../../../schema/index.ts";
import { evaluate } from "../../algebra/evaluate.ts";
import { describedBy } from "../../algebra/things/description.ts";
import { readingsOf, scopeOf } from "../../ask.ts";
import type { Keys, SystemOptions } from "../system.ts";

/** R⁴'s search keys: what, where and when, as far as the question gives them. */
export interface R4Keys {
  /** One phrase a thing. */
  readonly semantic: readonly string[];
  readonly regionIds: readonly string[];
  readonly during: Interval | undefined;
  /** Whether the question contains a relation to a thing: then the thing is found first, and its surroundings next. */
  readonly chains: boolean;
}

/** Operators whose answer needs the surroundings of a thing, besides the thing. */
const AROUND: ReadonlySet<string> = new Set([
  "relate",
  "from",
  "held",
  "holder",
  "contents",
  "direction",
  "distance",
  "place",
]);

/** More phrases than a question has things. */
const MOST_PHRASES = 6;
/** How a description is put into a phrase. */
const LOOKS = ["colour", "material", "size"] as const;

/** R⁴'s key derivation without a model: the things, rooms and times that our reader reads in the question. */
export async function keysOf(question: string, options: SystemOptions, keys: Keys): Promise<R4Keys> {
  const [reading] = await readingsOf(question, options);
  const nodes = (reading?.parts ?? []).flatMap((part) => [...nodesOf(part)]);
  const semantic = keys.meaning ? phrasesOf(nodes) : [];
  const cues = keys.meaning ? cuesOf(question).query : "";
  return {
    semantic: semantic.length > 0 || cues === "" ? semantic : [cues],
    regionIds: keys.space ? await regionsOf(nodes, options) : [],
    during: keys.time ? await spanOf(nodes, options) : undefined,
    chains: keys.space && nodes.some(({ op }) => AROUND.has(op)),
  };
}

function phrasesOf(nodes: readonly Expression[]): string[] {
  const phrases = nodes.flatMap(({ op, with: options }) => {
    if (op !== "things") return [];
    const name = options["name"] ?? options["category"];
    if (typeof name !== "string") return [];
    const looks = LOOKS.flatMap((look) => (typeof options[look] === "string" ? [options[look]] : []));
    return [[...looks, name].join(" ")];
  });
  return [...new Set(phrases)].slice(0, MOST_PHRASES);
}

async function regionsOf(nodes: readonly Expression[], options: SystemOptions): Promise<string[]> {
  const memory = new Belief(options);
  const rooms = nodes.filter(({ op, with: { name } }) => op === "rooms" && typeof name === "string");
  const found = await Promise.all(rooms.map(({ with: said }) => memory.roomsNamed(describedBy(said))));
  return [...new Set(found.flat().map(({ id }) => id))];
}

/** The time that the question names, where it names one that is not now. */
async function spanOf(nodes: readonly Expression[], options: SystemOptions): Promise<Interval | undefined> {
  const moment = nodes.find(({ op }) => op === "moment");
  if (!moment) return undefined;
  const value = await evaluate(moment, await scopeOf(options));
  return value.kind === "times" ? value.spans[0] : undefined;
}

function* nodesOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const one of expression.of) yield* nodesOf(one);
}
