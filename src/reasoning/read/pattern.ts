import { assert } from "../../schema/index.ts";

/** A way to read words from a place on: where it ends, what it costs, what it means. */
export interface Parse<T> {
  readonly end: number;
  readonly cost: number;
  readonly value: T;
}

/** What stands in the places of a pattern, by the names that the pattern gives them. */
export type Bindings = Readonly<Record<string, unknown>>;

/** What a pattern is matched against: words, and whoever reads the larger pieces. */
export interface Source {
  readonly words: readonly string[];
  /** All ways to read a piece of this kind from a word on, best first. */
  piece(kind: string, at: number): readonly Parse<unknown>[];
}

type Element =
  | { readonly type: "words"; readonly any: ReadonlySet<string> }
  | { readonly type: "piece"; readonly kind: string; readonly as: string }
  | { readonly type: "group"; readonly ways: readonly (readonly Element[])[]; readonly optional: boolean };

/** Classes of words that patterns name in capitals. */
export const CLASSES: Readonly<Record<string, string>> = {
  BE: "is|are|was|were|am|be|been",
  DO: "do|does|did",
  HAVE: "have|has|had",
  CAN: "can|could|would|should|might|may|will|shall|do|does|did",
  I: "i|we|you|one|somebody|someone|people|anyone|robot",
  YOU: "you|we|i|robot",
  PLACED:
    "located|kept|stored|placed|standing|situated|found|sitting|lying|put|hanging|positioned|hidden|left|mounted",
};

/** Words that may stand anywhere and change nothing. */
const FILLERS = new Set(
  "please really actually just currently exactly precisely even also then well ok okay so hey hi hello now maybe perhaps possibly simply basically kindly definitely already approximately roughly about around by chance thanks btw anyway robot buddy mate dude oh um uh hmm er like sort kinda again altogether total overall somewhere right presently".split(
    " ",
  ),
);
const FILLER_COST = 0.12;
const MOST_WAYS = 24;

const literals = new Set<string>(FILLERS);

/** Every word that some pattern names: what questions are made of beside names. */
export function patternWords(): ReadonlySet<string> {
  return literals;
}

/**
 * A pattern in words: `where BE $np`, `how many $np BE there [in $rooms]`. Alternatives stand in brackets with bars,
 * what may be missing in square ones; capitals are classes of words, `$kind` or `$name:kind` pieces that others read.
 */
export class Pattern {
  readonly #elements: readonly Element[];
  readonly #first: ReadonlySet<string> | undefined;

  constructor(text: string) {
    const tokens = text.match(/\$\w+(?::\w+)?|[[\]()]|[^\s[\]()]+/g) ?? [];
    const { elements, at } = parse(tokens, 0, false);
    assert(at === tokens.length, `a pattern that ends too early: ${text}`);
    this.#elements = elements;
    this.#first = firstWords(elements);
  }

  /** Whether it may begin with a word; what begins with a piece may begin with any. */
  startsWith(word: string): boolean {
    return this.#first === undefined || this.#first.has(word);
  }

  /** Every way in which it fits from a word on, the cheapest of each end first. */
  match(source: Source, at = 0): Parse<Bindings>[] {
    return run(source, this.#elements, at);
  }
}

/** The words that a sequence may begin with; undefined where a piece may stand first. */
function firstWords(elements: readonly Element[]): Set<string> | undefined {
  const found = new Set<string>();
  for (const element of elements) {
    if (element.type === "piece") return undefined;
    if (element.type === "words") {
      for (const word of element.any) found.add(word);
      return found;
    }
    for (const way of element.ways) {
      const first = firstWords(way);
      if (!first) return undefined;
      for (const word of first) found.add(word);
    }
    if (!element.optional) return found;
  }
  return undefined;
}

function parse(
  tokens: readonly string[],
  from: number,
  inside: boolean,
): { elements: Element[]; at: number } {
  const elements: Element[] = [];
  let at = from;
  while (at < tokens.length) {
    const token = tokens[at]!;
    if (inside && (token === "]" || token === ")" || token === "|")) break;
    if (token === "[" || token === "(") {
      const ways: Element[][] = [];
      do {
        const inner = parse(tokens, at + 1, true);
        ways.push(inner.elements);
        at = inner.at;
      } while (tokens[at] === "|");
      elements.push({ type: "group", ways, optional: token === "[" });
      at++;
    } else {
      elements.push(elementOf(token));
      at++;
    }
  }
  return { elements, at };
}

/** The same word in another pattern is the same element: there are thousands, of a few hundred words. */
const elements = new Map<string, Element>();

function elementOf(token: string): Element {
  const known = elements.get(token);
  if (known) return known;
  const made = makeElement(token);
  elements.set(token, made);
  return made;
}

function makeElement(token: string): Element {
  if (token.startsWith("$")) {
    const [name, kind] = token.slice(1).split(":");
    return { type: "piece", kind: kind ?? name!.replace(/\d$/, ""), as: name! };
  }
  const any = token.split("|").flatMap((word) => (CLASSES[word] ?? word).split("|"));
  // Often confused.
  if (any.includes("there")) any.push("their");
  if (any.includes("than")) any.push("then");
  for (const word of any) literals.add(word);
  return { type: "words", any: new Set(any) };
}

function run(source: Source, elements: readonly Element[], at: number): Parse<Bindings>[] {
  let open: Parse<Bindings>[] = [{ end: at, cost: 0, value: {} }];
  for (const element of elements) {
    const next: Parse<Bindings>[] = [];
    for (const so of open)
      for (const way of ways(source, element, so.end))
        next.push({ end: way.end, cost: so.cost + way.cost, value: { ...so.value, ...way.value } });
    open = next.sort((a, b) => a.cost - b.cost).slice(0, MOST_WAYS);
    if (open.length === 0) return open;
  }
  return open;
}

function ways(source: Source, element: Element, from: number): Parse<Bindings>[] {
  const found = own(source, element, from);
  const isOptional = element.type === "group" && element.optional;
  let at = from;
  for (let skipped = 1; !isOptional && skipped <= 3 && FILLERS.has(source.words[at] ?? ""); skipped++) {
    at++;
    for (const way of own(source, element, at))
      found.push({ ...way, cost: way.cost + skipped * FILLER_COST });
  }
  return found;
}

function own(source: Source, element: Element, at: number): Parse<Bindings>[] {
  if (element.type === "words") {
    const word = source.words[at];
    return word !== undefined && element.any.has(word) ? [{ end: at + 1, cost: 0, value: {} }] : [];
  }
  if (element.type === "piece")
    return source
      .piece(element.kind, at)
      .map(({ end, cost, value }) => ({ end, cost, value: { [element.as]: value } }));
  const found = element.ways.flatMap((one) => run(source, one, at));
  return element.optional ? [...found, { end: at, cost: 0, value: {} }] : found;
}

/** How many fillers there are from a word on, at the end of a sentence. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}
