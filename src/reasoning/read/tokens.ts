/** A word of a question: lower-case, with what it looked like. */
export interface Token {
  readonly word: string;
  readonly raw: string;
  /** It stood in quotes, or in capitals among small letters: words that are written on something. */
  readonly quoted: boolean;
  /** A comma, a colon or the like stood before it: where a part of the sentence may begin. */
  readonly parted: boolean;
  /** It is a room's own name, of however many words. */
  readonly isRoom?: boolean | undefined;
}

/** A sentence of a question, and how it ended. */
export interface Written {
  readonly tokens: readonly Token[];
  readonly end: "?" | "." | "!" | "";
}

/** Nobody asks with more; the rest is left out. */
const MOST_WORDS = 160;

const CONTRACTIONS: Readonly<Record<string, string>> = {
  "can't": "can not",
  cant: "can not",
  cannot: "can not",
  "won't": "will not",
  wont: "will not",
  "shan't": "shall not",
  "ain't": "is not",
  "i'm": "i am",
  im: "i am",
  ive: "i have",
  whats: "what is",
  wats: "what is",
  wheres: "where is",
  weres: "where is",
  whos: "who is",
  hows: "how is",
  whens: "when is",
  theres: "there is",
  thats: "that is",
  "it's": "it is",
  "let's": "let us",
  isnt: "is not",
  arent: "are not",
  wasnt: "was not",
  werent: "were not",
  dont: "do not",
  doesnt: "does not",
  didnt: "did not",
  hasnt: "has not",
  havent: "have not",
  couldnt: "could not",
  thru: "through",
  tho: "though",
  oclock: "o'clock",
  gonna: "going to",
  wanna: "want to",
  gotta: "have to",
  gimme: "give me",
  lemme: "let me",
  dunno: "do not know",
  wanted: "want",
  u: "you",
  ur: "your",
  r: "are",
  ya: "you",
  yall: "you",
  yu: "you",
  pls: "please",
  plz: "please",
  thx: "thanks",
  cos: "because",
  cuz: "because",
  w: "with",
  "w/": "with",
  "w/o": "without",
  whereabouts: "where",
  color: "colour",
  colors: "colours",
  coloured: "colour",
  colored: "colour",
  gray: "grey",
  meter: "metre",
  meters: "metres",
  centimeters: "centimetres",
  tv: "tv",
  whch: "which",
  wich: "which",
  wat: "what",
  wut: "what",
  nd: "and",
  n: "and",
  teh: "the",
  hte: "the",
  iz: "is",
  wher: "where",
  whre: "where",
  wheer: "where",
  hwo: "how",
  mnay: "many",
  manny: "many",
  thier: "their",
  form: "from",
  frm: "from",
  longe: "long",
  wied: "wide",
  dubble: "double",
  wile: "while",
  wer: "were",
  arond: "around",
  evr: "ever",
  abov: "above",
  infront: "in front",
  alot: "many",
  "->": "to",
  "=": "is",
  dose: "does",
  coler: "colour",
  collor: "colour",
  colur: "colour",
  culur: "colour",
  culer: "colour",
  cud: "could",
  shud: "should",
  wud: "would",
  hav: "have",
  wen: "when",
  hoo: "who",
  evry: "every",
  evrything: "everything",
  enything: "anything",
  eny: "any",
  ennything: "anything",
  sumthing: "something",
  becos: "because",
  wot: "what",
  wots: "what is",
  ov: "of",
  iss: "is",
  da: "the",
  thee: "the",
  ther: "there",
  hwere: "where",
  whcih: "which",
  waht: "what",
  woh: "who",
  si: "is",
  ar: "are",
  ot: "to",
};
/** Who is followed by "'s" is rather than has. */
const IS_AFTER = new Set(
  "what where who how when why there that it he she here which everything something anything nobody everyone someone anyone this one".split(
    " ",
  ),
);
const SUFFIXES: Readonly<Record<string, string>> = {
  "n't": "not",
  "'re": "are",
  "'ve": "have",
  "'ll": "will",
  "'m": "am",
};

const PIECE =
  /[“"«]([^”"»]{1,120})[”"»]|(?:^|(?<=\s))'([^']{1,120})'(?=\s|[.,;:!?]|$)|\d{4}-\d{2}-\d{2}|\d{1,4}(?:[:.]\d{1,2})+(?::\d{2})?|\d+(?:\.\d+)?|[\p{L}][\p{L}\p{N}'’/-]*|->|→|[.,;:!?()—–>=-]/gu;

/** Splits a question into sentences of words: contractions spelt out, what is quoted kept as it is. */
export function sentencesOf(question: string): Written[] {
  const sentences: Written[] = [];
  let tokens: Token[] = [];
  let parted = false;
  let words = 0;
  const plain = question
    .replace(/\([^()]{0,200}\)/g, " ")
    .normalize("NFKC")
    .replaceAll("’", "'")
    .replaceAll("‘", "'")
    .replace(/[\p{Cc}\p{Cf}]/gu, " ");
  const shouts = plain === plain.toUpperCase();
  const close = (end: Written["end"]) => {
    if (tokens.length > 0) sentences.push({ tokens, end });
    tokens = [];
    parted = false;
  };
  for (const match of plain.matchAll(PIECE)) {
    const raw = match[0];
    const said = match[1] ?? match[2];
    if (said !== undefined && words < MOST_WORDS) {
      tokens.push({ word: said.trim().toLowerCase(), raw: said.trim(), quoted: true, parted });
      words++;
      parted = false;
    } else if (/^[?.!]$/.test(raw)) close(raw as Written["end"]);
    else if (/^(?:->|→)$/.test(raw)) tokens.push({ word: "to", raw: "to", quoted: false, parted: false });
    else if (raw === ">")
      tokens.push(...["greater", "than"].map((word) => ({ word, raw: word, quoted: false, parted: false })));
    else if (/^[,;:()—–=-]$/.test(raw)) parted = raw !== "=";
    else
      for (const [n, word] of spelt(raw).entries()) {
        if (words++ >= MOST_WORDS) break;
        const caps = !shouts && /^[A-Z][A-Z0-9&-]{2,}$/.test(raw) && !/^(?:USB|DVD|LED|LCD|WC|TV)$/.test(raw);
        tokens.push({
          word,
          raw: n === 0 && !raw.includes("'") ? raw : word,
          quoted: caps,
          parted: parted && n === 0,
        });
        parted = false;
      }
  }
  close("");
  return sentences.map(({ tokens: all, end }) => ({
    end,
    tokens: all
      .filter(isNeeded)
      .map((token, n) =>
        token.word === "an" && /^w|^how$/.test(all[n + 1]?.word ?? "") ? { ...token, word: "and" } : token,
      ),
  }));
}

/** "for me", "for her": for whom something is asked changes nothing. */
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
  const known = Object.hasOwn(CONTRACTIONS, word) ? CONTRACTIONS[word] : undefined;
  if (known !== undefined) return known.split(" ");
  for (const [suffix, full] of Object.entries(SUFFIXES)) {
    const short = suffix.replace("'", "");
    if (word.endsWith(suffix) && word.length > suffix.length) return [word.slice(0, -suffix.length), full];
    if (
      suffix === "n't" &&
      word.endsWith(short) &&
      /^(?:is|are|was|were|do|does|did|has|have|had|could|would|should)nt$/.test(word)
    )
      return [word.slice(0, -2), full];
  }
  if (word.endsWith("'d"))
    return [word.slice(0, -2), /^(?:where|what|who|how|when|why)$/.test(word.slice(0, -2)) ? "did" : "would"];
  if (word.endsWith("'s")) {
    const own = word.slice(0, -2);
    return IS_AFTER.has(own) ? [own, "is"] : [own, "'s"];
  }
  if (word.endsWith("s'")) return [word.slice(0, -1), "'s"];
  if (/^\d+(?:am|pm)$/.test(word)) return [word];
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

/** Words as they are written: a possessive belongs to the word before it. */
export function written(words: readonly string[]): string {
  return words.join(" ").replaceAll("s 's", "s'").replaceAll(" 's", "'s");
}
