/** A word of a question: lower-case, with its original form. */
export interface Token {
  readonly word: string;
  readonly raw: string;
  /** It was in quotes, or in capitals among lower-case words: text on a thing. */
  readonly quoted: boolean;
  /** A comma, a colon or the like stood before it: a part of the sentence may begin here. */
  readonly parted: boolean;
  /** It is a room's given name, of any number of words. */
  readonly isRoom?: boolean | undefined;
}

/** A sentence of a question, and its end mark. */
export interface Written {
  readonly tokens: readonly Token[];
  readonly end: "?" | "." | "!" | "";
}

/** The most words of a question; the rest is left out. */
const MOST_WORDS = 160;

/**
 * Abbreviations and frequent misspellings that `spell.ts` would take for another word, with their full forms; and the
 * first words of questions, however misspelt the rest.
 */
const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "can not": "can't cant cannot",
    "will not": "won't wont",
    "shall not": "shan't",
    "is not": "ain't",
    "i am": "im",
    "i have": "ive",
    "what is": "whats wats wots",
    "where is": "wheres weres",
    "who is": "whos",
    "how is": "hows",
    "when is": "whens",
    "there is": "theres",
    "that is": "thats",
    "let us": "let's",
    "going to": "gonna",
    "want to": "wanna",
    "have to": "gotta",
    "give me": "gimme",
    "let me": "lemme",
    "do not know": "dunno",
    "in front": "infront",
    you: "u ya yu yall",
    your: "ur",
    are: "r ar",
    is: "iz iss si",
    the: "teh hte da thee",
    to: "ot",
    of: "ov",
    from: "form frm",
    and: "n nd",
    with: "w w/",
    without: "w/o",
    what: "wut wot wat waht",
    which: "wich whch whcih",
    where: "whereabouts hwere wher whre wheer",
    when: "wen",
    who: "hoo hu woh",
    how: "hwo",
    does: "dose",
    any: "eny",
    many: "alot mnay manny",
    could: "cud",
    should: "shud",
    would: "wud",
    want: "wanted",
    while: "wile",
    though: "tho",
    through: "thru",
    because: "cos cuz becos",
    please: "pls plz",
    thanks: "thx",
    "o'clock": "oclock",
    colour: "color coloured colored coler culer",
    colours: "colors",
    grey: "gray",
    metre: "meter",
    metres: "meters",
    centimetres: "centimeters",
  }).flatMap(([meant, forms]) => forms.split(" ").map((form) => [form, meant] as const)),
);
/** Words after which "'s" means "is" and not "has". */
const IS_AFTER = new Set(
  "what where who how when why there that it he she here which everything something anything nobody everyone someone anyone this one".split(
    " ",
  ),
);
const NOT = /^(?:(.+)n't|(is|are|was|were|do|does|did|has|have|had|could|would|should)nt)$/;
const ENDINGS: Readonly<Record<string, string>> = { re: "are", ve: "have", ll: "will", m: "am" };

const PIECE =
  /[“"«]([^”"»]{1,120})[”"»]|(?:^|(?<=\s))'([^']{1,120})'(?=\s|[.,;:!?]|$)|\d{4}-\d{2}-\d{2}|\d{1,4}(?:[:.]\d{1,2})+(?::\d{2})?|\d+(?:\.\d+)?|[\p{L}][\p{L}\p{N}'’/-]*|[.,;:!?()—–-]/gu;
/** Capitals that are not text on a thing. */
const ABBREVIATION = /^(?:USB|DVD|LED|LCD|WC|TV)$/;

/** Splits a question into sentences of words: contractions spelt out, quotations kept. */
export function sentencesOf(question: string): Written[] {
  const sentences: Written[] = [];
  let tokens: Token[] = [];
  let parted = false;
  let words = 0;
  const plain = question
    .replace(/\([^()]{0,200}\)/g, " ")
    .normalize("NFKC")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/->|→/g, " to ")
    .replaceAll(">", " greater than ")
    .replace(/[\p{Cc}\p{Cf}]/gu, " ");
  const shouts = plain === plain.toUpperCase();
  const add = (word: string, raw: string, quoted: boolean) => {
    if (words++ < MOST_WORDS) tokens.push({ word, raw, quoted, parted });
    parted = false;
  };
  const close = (end: Written["end"]) => {
    if (tokens.length > 0) sentences.push({ tokens, end });
    tokens = [];
    parted = false;
  };
  for (const match of plain.matchAll(PIECE)) {
    const raw = match[0];
    const said = (match[1] ?? match[2])?.trim();
    if (said !== undefined) add(said.toLowerCase(), said, true);
    else if (/^[?.!]$/.test(raw)) close(raw as Written["end"]);
    else if (/^[,;:()—–-]$/.test(raw)) parted = true;
    else {
      const isCapital = !shouts && /^[A-Z][A-Z0-9&-]{2,}$/.test(raw) && !ABBREVIATION.test(raw);
      for (const [n, word] of spelt(raw).entries())
        add(word, n === 0 && !raw.includes("'") ? raw : word, isCapital);
    }
  }
  close("");
  return sentences.map(({ tokens: all, end }) => ({ end, tokens: all.filter(isNeeded) }));
}

/** "for me", "for her" do not change a question and are dropped. */
function isNeeded({ word }: Token, n: number, all: readonly Token[]): boolean {
  const isWhom = (at: number) =>
    all[at]?.word === "for" &&
    /^(?:me|her|him|us|them|you|everyone)$/.test(all[at + 1]?.word ?? "") &&
    !/^(?:look|looking|search|searching|ask|asking|wait|waiting)$/.test(all[at - 1]?.word ?? "");
  return word === "for" ? !isWhom(n) : !isWhom(n - 1);
}

/** One written word as the words it stands for. */
function spelt(raw: string): string[] {
  const word = raw.toLowerCase();
  const known = SHORT.get(word);
  if (known !== undefined) return known.split(" ");
  const not = NOT.exec(word);
  if (not) return [(not[1] ?? not[2])!, "not"];
  const [, own, ending] = /^(.+)'(re|ve|ll|m|d|s)$/.exec(word) ?? [];
  if (own !== undefined && ending === "d")
    return [own, /^(?:where|what|who|how|when|why)$/.test(own) ? "did" : "would"];
  if (own !== undefined && ending === "s") return [own, IS_AFTER.has(own) ? "is" : "'s"];
  if (own !== undefined) return [own, ENDINGS[ending!]!];
  if (word.endsWith("s'")) return [word.slice(0, -1), "'s"];
  return word.includes("/")
    ? word
        .split("/")
        .flatMap((one, n) => (n === 0 ? [one] : ["or", one]))
        .filter((one) => one !== "")
    : [word.replace(/'/g, "")];
}

/** Sentences as text again. */
export function textOf(sentences: readonly Written[]): string {
  return sentences
    .map(({ tokens, end }) => {
      const said = tokens.map(({ word, raw, quoted, parted }, n) => {
        const own = quoted ? `"${raw}"` : raw.toLowerCase() === word ? raw : word;
        return `${n === 0 ? "" : parted ? ", " : " "}${own}`;
      });
      return said.join("") + end;
    })
    .join(" ");
}

/** Words in written form: a possessive is attached to the word before it. */
export function written(words: readonly string[]): string {
  return words.join(" ").replaceAll("s 's", "s'").replaceAll(" 's", "'s");
}
