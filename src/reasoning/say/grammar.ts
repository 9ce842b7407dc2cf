/** Enough English to put nouns, numbers and lists into a sentence. */

/** Nouns of pairs and sets: they have no singular to count. */
const PAIRS =
  /(?:^| )(?:shoes|slippers|boots|sandals|trainers|sneakers|socks|gloves|mittens|trousers|jeans|pants|shorts|pyjamas|pajamas|scissors|tongs|pliers|headphones|earphones|glasses|sunglasses|binoculars|curtains|skis|crutches)$/;
/** Nouns that are not counted at all. */
const MASS =
  /(?:^| )(?:furniture|luggage|laundry|clothing|cutlery|crockery|silverware|bedding|toilet paper|kitchen paper|paper|milk|water|bread|butter|rice|pasta|sugar|salt|flour|coffee|tea|juice|wine|beer|soap|shampoo|toothpaste|detergent|firewood|equipment|stuff|rubbish|trash|garbage|food|fruit|cheese|ketchup|mustard|jam|honey|oil|vinegar|cereal|popcorn|chocolate)$/;
const IRREGULAR: Readonly<Record<string, string>> = {
  person: "people",
  man: "men",
  woman: "women",
  child: "children",
  knife: "knives",
  shelf: "shelves",
  bookshelf: "bookshelves",
  leaf: "leaves",
  loaf: "loaves",
  scarf: "scarves",
  half: "halves",
  wolf: "wolves",
  foot: "feet",
  tooth: "teeth",
  mouse: "mice",
  goose: "geese",
  sheep: "sheep",
  fish: "fish",
  deer: "deer",
  cactus: "cacti",
  potato: "potatoes",
  tomato: "tomatoes",
  hero: "heroes",
  bus: "buses",
  lens: "lenses",
  gas: "gases",
};
const PLURALS: ReadonlySet<string> = new Set([
  ...Object.values(IRREGULAR),
  "clothes",
  "stairs",
  "drapes",
  "cutlery",
]);
/** Dormice, firemen, bookshelves. */
const COMPOUND_PLURAL = /(?:people|men|children|knives|shelves|leaves|loaves|mice|feet|teeth|geese)$/;
/** Words that end in s and are one. */
const ONE_IN_S = /(?:ss|us|is|as)$|^(?:lens|bus|gas|canvas|christmas|series|chess|compass|news)$/;
const SMALL = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** "two", "13". */
export function numberWord(n: number): string {
  return SMALL[n] ?? String(n);
}

/** Whether a noun is several things already: "spoons", "people". */
export function isPlural(noun: string): boolean {
  const head = lastWord(headOf(noun)).toLowerCase();
  if (PLURALS.has(head) || COMPOUND_PLURAL.test(head)) return true;
  return head.length > 3 && /[a-rt-z]s$/.test(head) && !ONE_IN_S.test(head);
}

/** "chairs", "chests of drawers", "people"; what is plural already stays so. */
export function plural(noun: string): string {
  if (isPlural(noun) || MASS.test(noun)) return noun;
  const head = headOf(noun);
  const last = lastWord(head);
  return `${head.slice(0, head.length - last.length)}${pluralWord(last)}${noun.slice(head.length)}`;
}

function pluralWord(word: string): string {
  const known = IRREGULAR[word.toLowerCase()];
  if (known !== undefined) return known;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  const compound = Object.keys(IRREGULAR).find((one) => one.length > 3 && word.endsWith(one));
  if (compound) return `${word.slice(0, -compound.length)}${IRREGULAR[compound]}`;
  return `${word}s`;
}

/** What is counted in "chest of drawers", "box with toys": the part before what goes with it. */
function headOf(noun: string): string {
  return /^(.+?)(?= (?:of|with|for|in|on|that|marked|named|full|from) )/.exec(noun)?.[1] ?? noun;
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

/** "a" or "an", by how a word is spoken. */
function article(word: string): "a" | "an" {
  if (/^(?:hour|honest|heir|8|11(?!\d)|18(?!\d))/i.test(word)) return "an";
  if (/^[FHLMNRSX][A-Z0-9]/.test(word)) return "an";
  if (/^(?:uni(?!n|m)|use|usu|util|uten|u-|ukulele|eu|ewe|once?\b|one-)/i.test(word) || /^U[A-Z]/.test(word))
    return "a";
  return /^[aeiou]/i.test(word) ? "an" : "a";
}

/** "a mug", "an iron", "shoes", "some milk"; names of people and what has an article stay as they are. */
export function withArticle(noun: string): string {
  if (isProper(noun) || /^(?:the|an?|some|any|no|one|two|my|your|our|his|her|their) /i.test(noun))
    return noun;
  if (/^\S+['’]s? /.test(noun) && /^[A-Z]/.test(noun)) return noun;
  if (MASS.test(noun)) return `some ${noun}`;
  return isPlural(noun) ? noun : `${article(noun)} ${noun}`;
}

/** "the mug"; what is a name, or has an article, stays as it is. */
export function withThe(noun: string): string {
  if (isProper(noun) || /^(?:the|an?|my|your|our|his|her|their|this|that) /i.test(noun)) return noun;
  return /^[A-Z]\S*['’]s? /.test(noun) ? noun : `the ${noun}`;
}

/** Olga, Mr Brown: a name that takes no article. */
function isProper(noun: string): boolean {
  return /^(?:(?:Mrs?|Ms|Dr) )?[A-Z][a-zà-ÿ]+(?:[- ][A-Z][a-zà-ÿ]+)*$/.test(noun);
}

/** "any mugs", "any milk": what there is none of. */
export function anyOf(noun: string): string {
  return isPlural(noun) || MASS.test(noun) ? `any ${noun}` : withArticle(noun);
}

/** "a chair", "3 chairs", "2 pairs of shoes". */
export function counted(n: number, noun: string): string {
  if (n === 1) return withArticle(noun);
  if (PAIRS.test(noun)) return `${n} pairs of ${noun}`;
  if (isPlural(noun) && !PLURALS.has(lastWord(noun))) return `${n} sets of ${noun}`;
  return `${n} ${plural(noun)}`;
}

/** So many groups of things are said one by one; the rest are counted. */
const MOST_SAID = 14;

/** "a, b and c"; of very many the first, "and 12 more". */
export function list(items: readonly string[], most = MOST_SAID): string {
  const said = items.filter((item) => item !== "");
  // "and 1 more" says no less than the one itself would.
  const shown = said.length > most + 1 ? [...said.slice(0, most), `${said.length - most} more`] : said;
  if (shown.length < 2) return shown[0] ?? "";
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** "2 chairs, a lamp and a rug": the most frequent first, equals in the order given. */
export function countedList(names: readonly string[], most = MOST_SAID): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const groups = [...counts].sort((a, b) => b[1] - a[1]);
  return list(
    groups.map(([name, n]) => (isProper(name) ? name : counted(n, name))),
    most,
  );
}

/** "once", "twice", "3 times"; "never" for none. */
export function timesText(n: number): string {
  return ["never", "once", "twice"][n] ?? `${n} times`;
}

/** Slips that composing can make, put right: doubled articles, blanks before stops. */
export function tidy(text: string): string {
  return text
    .replaceAll(/\b(the|an?|any|some|in|on|of) (?:the|an?|any|some) (?=the |an? |any |some )/gi, "$1 ")
    .replaceAll(/\b(?:an?|any|some) (the|my|your|our) /gi, "$1 ")
    .replaceAll(/\b(the|an?|any|some) (?:the|an?|any|some) /gi, "$1 ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,;:!?](?:\s|$))/g, "")
    .replaceAll(/([.;,])\1+/g, "$1")
    .trim();
}
