import { keyOf, lazily, linesOf } from "./read-data.ts";

/** Built in; furniture that stays for months; moved now and then; carried by hand; moves itself. */
export type Mobility = "fixed" | "furniture" | "movable" | "carried" | "agent";
/** On a wall, from the ceiling, or flat on the floor. */
export type Hanging = "wall" | "ceiling" | "flat";
type Fact = "top" | "holds" | "opens" | "switches" | "readable" | "fills" | "making";

/** The facts in a thing's line besides its names; missing ones are inherited from its categories (`facts.ts`). */
interface Said {
  /** What people and cameras confuse it with. */
  readonly like: readonly string[];
  readonly parts: readonly string[];
  readonly rooms: readonly string[];
  /** Approximate largest dimension. */
  readonly sizeM?: number;
  readonly mobility?: Mobility;
  readonly hangs?: Hanging;
  readonly facts: Readonly<Partial<Record<Fact, boolean>>>;
  /** Grammatical number: "milk" and "furniture" have no plural, "scissors" no singular. */
  readonly number: "count" | "mass" | "pair";
}

/** One thing by its names. The rest of its line is parsed on demand. */
export class Entry {
  /** The canonical name, singular if there is one. */
  readonly name: string;
  /** All names as they are written, the canonical one first. */
  readonly names: readonly string[];
  /** Those of `names` that another entry also has. */
  readonly ambiguous: readonly string[];
  /** A word for many kinds of things ("furniture"), seldom used as a name. */
  readonly isKind: boolean;
  private readonly line: string;
  private above: readonly string[] | undefined;
  private read: Said | undefined;

  constructor(names: readonly string[], ambiguous: readonly string[], line: string, isKind: boolean) {
    this.name = names[0]!;
    this.names = names;
    this.ambiguous = ambiguous;
    this.isKind = isKind;
    this.line = line;
  }

  /** Canonical names of its direct categories. */
  get kinds(): readonly string[] {
    this.above ??= listOf(this.line.split(";", 1)[0]!);
    return this.above;
  }

  /** Whether its line lists confusions, without parsing the line. */
  get hasLike(): boolean {
    return this.line.includes("; like ");
  }

  get said(): Said {
    this.read ??= readLine(this.line);
    return this.read;
  }
}

const THEMES = [
  ..."furniture structure kitchen food bathroom electronics".split(" "),
  ..."clothing tools play living outdoors kinds".split(" "),
];

interface Vocabulary {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Entries by any name, the likeliest meaning first. */
  readonly byKey: ReadonlyMap<string, readonly Entry[]>;
  /** Words in the longest name. */
  readonly longest: number;
}

/** All entries by name. */
export const vocabulary = lazily((): Vocabulary => {
  const entries = new Map<string, Entry>();
  const byKey = new Map<string, Entry[]>();
  for (const theme of THEMES)
    for (const line of linesOf(theme))
      for (const entry of entriesOf(line, theme === "kinds")) {
        entries.set(entry.name, entry);
        for (const name of entry.names) {
          const key = keyOf(name);
          const known = byKey.get(key);
          if (known === undefined) byKey.set(key, [entry]);
          // The entry with the unmarked name is the likeliest meaning.
          else if (entry.ambiguous.includes(name)) known.push(entry);
          else known.unshift(entry);
        }
      }
  return { entries, byKey, longest: 5 };
});

/** Last words of names. */
export const headWords = lazily(
  (): ReadonlySet<string> =>
    new Set(Array.from(vocabulary().byKey.keys(), (key) => key.slice(key.lastIndexOf(" ") + 1))),
);

/** The direct subcategories of an entry by its canonical name. */
export const below = lazily((): ReadonlyMap<string, readonly Entry[]> => {
  const found = new Map<string, Entry[]>();
  for (const entry of vocabulary().entries.values())
    for (const kind of entry.kinds) {
      const known = found.get(kind);
      if (known === undefined) found.set(kind, [entry]);
      else known.push(entry);
    }
  return found;
});

/**
 * The entries of a line: "names < categories; facts; in rooms; 0.5 m; like things; has parts". Names separated by a
 * bar are separate entries that share the rest; one after "+" is a subcategory of the first without further facts;
 * "~" marks a name that belongs to another entry as well.
 */
function entriesOf(line: string, isKind: boolean): Entry[] {
  const end = line.indexOf(" <");
  const rest = line.slice(end + 2);
  const found: Entry[] = [];
  for (const group of line.slice(0, end).split(" | ")) {
    const names: string[] = [];
    const ambiguous: string[] = [];
    const kinds: string[] = [];
    for (const name of group.split(", ")) {
      const mark = name[0];
      const bare = mark === "+" || mark === "~" ? name.slice(1) : name;
      if (mark === "+") kinds.push(bare);
      else names.push(bare);
      if (mark === "~") ambiguous.push(bare);
    }
    found.push(new Entry(names, ambiguous, rest, isKind));
    for (const kind of kinds) found.push(new Entry([kind], [], ` ${names[0]}`, false));
  }
  return found;
}

const MOBILITY: ReadonlySet<string> = new Set(["fixed", "furniture", "movable", "carried", "agent"]);
const HANGING: ReadonlySet<string> = new Set(["wall", "ceiling", "flat"]);
const FACTS: ReadonlySet<string> = new Set("top holds opens switches readable fills making".split(" "));

type Draft = { -readonly [K in keyof Said]: Said[K] };

function readLine(line: string): Said {
  const segments = line.split(";").slice(1);
  const said: Draft = { like: [], parts: [], rooms: [], facts: {}, number: "count" };
  for (const segment of segments) {
    const text = segment.trim();
    const list = () => listOf(text.slice(text.indexOf(" ")));
    if (text.startsWith("in ")) said.rooms = list();
    else if (text.startsWith("like ")) said.like = list();
    else if (text.startsWith("has ")) said.parts = list();
    else if (/^[\d.]+ m$/.test(text)) said.sizeM = Number.parseFloat(text);
    else readFacts(text, said);
  }
  return said;
}

function readFacts(text: string, said: Draft): void {
  let truth = true;
  for (const word of text.split(" ")) {
    if (word === "no") {
      truth = false;
      continue;
    }
    if (MOBILITY.has(word)) said.mobility = word as Mobility;
    else if (HANGING.has(word)) said.hangs = word as Hanging;
    else if (word === "mass" || word === "pair") said.number = word;
    else if (FACTS.has(word)) said.facts = { ...said.facts, [word]: truth };
    else throw new Error(`"${word}" says nothing in a line of the vocabulary`);
    truth = true;
  }
}

function listOf(text: string): string[] {
  const bare = text.trim();
  return bare === "" ? [] : bare.split(", ");
}
