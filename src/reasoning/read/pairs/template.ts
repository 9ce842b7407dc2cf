import { attributesOf, longestName } from "../../../ontology/index.ts";
import type { Expression, Literal } from "../../../schema/index.ts";
import { node, scan } from "../../algebra/notation.ts";
import { KIND, MARKS, type SourceWord } from "../trained/source.ts";
import { isClosed, placesOf, placesOfRobot } from "./places.ts";
import { isOfForm, type SlotKind } from "./slots.ts";

/** A slot of a form: a question has words of its own there. */
export interface Slot {
  readonly kind: SlotKind;
  /** A value of this attribute only. */
  readonly attribute?: string | undefined;
  /** A plural: "the lamps" and "the lamp" are different questions. */
  readonly isMany?: boolean | undefined;
}

/** A form of question: words and slots in order, and the expressions that they mean. */
export interface Template {
  readonly parts: readonly Expression[];
  readonly form: readonly (string | Slot)[];
  readonly slots: readonly Slot[];
  /** The line that it comes from. */
  readonly pair: string;
}

/** Marks the position of the n-th slot's expression in an expression, or of its literal in an option. */
const HOLE = "%";

/** Leaves that are filled by an expression of their own. */
const LEAVES: Readonly<Record<string, SlotKind>> = {
  things: "things",
  rooms: "rooms",
  floors: "floors",
  said: "time",
};

/** The content of a single option, where its leaf is not a slot. */
const OPTIONS: Readonly<Record<string, SlotKind>> = {
  text: "text",
  agent: "agent",
  owner: "owner",
  value: "value",
  to: "value",
  purpose: "phrase",
};

/** A pair as a form: parts of its expression that come from its question become slots of their kind. */
export function templateOf(pair: string, source: readonly SourceWord[]): Template {
  const [, notation = ""] = pair.split("\t");
  return new Delexicalised(source, pair).of(notation.split(" ;; ").map(scan));
}

interface Taken {
  readonly slot: Slot;
  readonly from: number;
  readonly end: number;
  readonly key: string;
}

class Delexicalised {
  readonly #source: readonly SourceWord[];
  readonly #pair: string;
  readonly #taken: Taken[] = [];

  constructor(source: readonly SourceWord[], pair: string) {
    this.#source = source;
    this.#pair = pair;
  }

  of(parts: readonly Expression[]): Template {
    const held = parts.map((part) => this.#walk(part));
    const inOrder = this.#taken.map((one, n) => ({ ...one, n })).sort((a, b) => a.from - b.from);
    const form: (string | Slot)[] = [];
    let at = 0;
    for (const { slot, from, end } of inOrder) {
      form.push(...this.#words(at, from), slot);
      at = end;
    }
    form.push(...this.#words(at, this.#source.length));
    const renumbered = new Map(inOrder.map(({ n }, order) => [n, order]));
    return {
      parts: held.map((part) => mapHoles(part, (n) => `${HOLE}${renumbered.get(n)!}`)),
      form,
      slots: inOrder.map(({ slot }) => slot),
      pair: this.#pair,
    };
  }

  #words(from: number, end: number): string[] {
    return this.#source
      .slice(from, end)
      .map(({ word }) => word)
      .filter((word) => !isPunctuation(word));
  }

  #walk(one: Expression): Expression {
    const { op, of, with: options } = one;
    const kind = of.length === 0 ? LEAVES[op] : undefined;
    const whole = kind && this.#leaf(kind, one);
    if (whole) return whole;
    const held = Object.entries(options).map(([name, value]) => [
      name,
      this.#option(op, name, value, options),
    ]);
    return node(
      op,
      of.map((each) => this.#walk(each)),
      Object.fromEntries(held),
    );
  }

  /** A leaf whose words are adjacent is one slot; the algebra's own parts stay. */
  #leaf(kind: SlotKind, { op, with: options }: Expression): Expression | undefined {
    const own: Record<string, Literal> = {};
    const places: number[] = [];
    for (const [name, value] of Object.entries(options)) {
      const said = isClosed(op, name, value) ? undefined : this.#placesOf(value);
      if (said) places.push(...said);
      else own[name] = value;
    }
    if (places.length === 0) return undefined;
    const [from, end] = [Math.min(...places), Math.max(...places) + 1];
    if (new Set(places).size !== end - from) return undefined;
    const isCalled = op === "things" && options["name"] === undefined && options["category"] === undefined;
    if (isCalled || isOfForm(String(options["category"] ?? ""))) return undefined;
    const isMany = kind === "things" && isMoreThanOne(this.#source.slice(from, end));
    const n = this.#take({ kind, isMany }, from, end, `${op} ${JSON.stringify(options)}`);
    return n === undefined ? undefined : node(`${HOLE}${n}`, [], own);
  }

  #option(op: string, name: string, value: Literal, all: Expression["with"]): Literal {
    const kind = name === "name" && op === "called" ? "name" : OPTIONS[name];
    const isOwn = kind === undefined || isClosed(op, name, value) || typeof value !== "string";
    const said = isOwn
      ? undefined
      : kind === "agent"
        ? placesOfRobot(value, this.#source)
        : this.#placesOf(value);
    if (!said || kind === undefined) return value;
    const [from, end] = [Math.min(...said), Math.max(...said) + 1];
    if (said.length !== end - from) return value;
    const attribute = kind === "value" ? String(all["attribute"] ?? "") : undefined;
    // A site's own word for a state has no others of its kind: it stays a word of the form.
    const isKnown = attributesOf(String(value)).some((one) => one.attribute === attribute);
    if (kind === "value" && !isKnown) return value;
    const n = this.#take({ kind, attribute }, from, end, `${name} ${value}`);
    return n === undefined ? value : `${HOLE}${n}`;
  }

  #placesOf(value: Literal): number[] | undefined {
    if (typeof value === "string") return placesOf(value, this.#source);
    if (!Array.isArray(value)) return undefined;
    const all = value.map((one) => placesOf(one as string, this.#source));
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  }

  /** The number of its slot; undefined where its words belong to another. */
  #take(slot: Slot, from: number, end: number, key: string): number | undefined {
    const known = this.#taken.findIndex((one) => one.key === key);
    if (known >= 0) return known;
    if (this.#taken.some((one) => one.from < end && one.end > from)) return undefined;
    this.#taken.push({ slot, from, end, key });
    return this.#taken.length - 1;
  }
}

/** Trousers and scissors are singular things. */
function isMoreThanOne(words: readonly SourceWord[]): boolean {
  const last = words.at(-1)!;
  const name = longestName(
    words.map(({ word }) => word),
    words.length - 1,
  );
  return name ? name.plural : (last.kinds & KIND.plural) !== 0;
}

export function isPunctuation(word: string): boolean {
  return /^[,?.!;:]$/.test(word) || word === MARKS.before;
}

function mapHoles(one: Expression, rename: (n: number) => string): Expression {
  const number = (text: string) => (text.startsWith(HOLE) ? rename(Number(text.slice(1))) : text);
  const held = Object.entries(one.with).map(([name, value]) => [
    name,
    typeof value === "string" ? number(value) : value,
  ]);
  return node(
    number(one.op),
    one.of.map((each) => mapHoles(each, rename)),
    Object.fromEntries(held),
  );
}

/** A form's expressions with the question's contents in the slots. */
export function filled(
  parts: readonly Expression[],
  values: readonly (Expression | Literal)[],
): Expression[] {
  const put = (one: Expression): Expression => {
    const held = Object.entries(one.with).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith(HOLE) ? values[Number(value.slice(1))] : value,
    ]);
    const own = Object.fromEntries(held) as Record<string, Literal>;
    if (one.op.startsWith(HOLE)) return withOwn(values[Number(one.op.slice(1))] as Expression, own);
    return node(one.op, one.of.map(put), own);
  };
  return parts.map(put);
}

/** The algebra's additions to a leaf go into the leaf within its place. */
function withOwn(value: Expression, own: Record<string, Literal>): Expression {
  if (Object.keys(own).length === 0) return value;
  const [inner, ...rest] = value.of;
  if (inner) return { ...value, of: [withOwn(inner, own), ...rest] };
  return { ...value, with: { ...value.with, ...own } };
}
