import { headWords, vocabulary } from "./entry.ts";
import { keyOf, remembered } from "./read-data.ts";

/** Irregular plurals; compounds follow their last part ("bookshelf", "postman"). */
const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "person:people man:men woman:women child:children foot:feet tooth:teeth goose:geese mouse:mice louse:lice " +
    "knife:knives shelf:shelves leaf:leaves loaf:loaves scarf:scarves half:halves wife:wives life:lives " +
    "thief:thieves calf:calves wolf:wolves die:dice cactus:cacti ox:oxen potato:potatoes tomato:tomatoes " +
    "mango:mangoes mosquito:mosquitoes hero:heroes echo:echoes fish:fish sheep:sheep deer:deer series:series " +
    "species:species aircraft:aircraft lens:lenses gas:gases bus:buses quiz:quizzes passerby:passersby " +
    "domino:dominoes ski:skis taxi:taxis kiwi:kiwis"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const SINGULAR = new Map(Object.entries(IRREGULAR).map(([one, many]) => [many, one]));
SINGULAR.set("persons", "person").set("cactuses", "cactus").set("hooves", "hoof").set("shawls", "shawl");
/** Last parts of compounds that are written as one word. */
const COMPOUND_ENDS = ["woman", "man", "child", "shelf", "knife", "fish", "wife", "loaf", "foot"];
/** Words that end like compounds but are not. */
const NOT_COMPOUND = new Set(["human", "german", "roman", "ottoman", "talisman"]);
/** Singular, whatever their ending. */
const NO_PLURAL = new Set(
  "always this us is was has news tennis chess gas christmas canvas atlas lens bass alias texas yes".split(
    " ",
  ),
);

/** The singular of the last word: "dining chairs" → "dining chair"; "scissors" has none. */
export function singularOf(noun: string): string {
  return singulars(noun);
}

const singulars = remembered((noun): string => {
  const { byKey } = vocabulary();
  const key = keyOf(noun);
  if (byKey.get(key)?.some(({ said, name }) => said.number !== "count" && keyOf(name) === key)) return noun;
  // "chests of drawers"
  const of = byKey.has(key) ? -1 : noun.indexOf(" of ");
  if (of > 0) return singularOf(noun.slice(0, of)) + noun.slice(of);
  const at = noun.lastIndexOf(" ") + 1;
  const [front, word] = [noun.slice(0, at), noun.slice(at)];
  const candidates = singularsOf(word);
  const known = candidates.find((one) => byKey.has(keyOf(front + one)));
  if (known !== undefined) return front + known;
  // A name used only in the plural: "stairs", "drawers".
  if (byKey.has(key)) return noun;
  const heads = headWords();
  return (
    front +
    (candidates.find((one) => heads.has(one)) ?? (word.length > 3 ? candidates.at(-1) : undefined) ?? word)
  );
});

/** Whether the last word stands for several. */
export function isPlural(noun: string): boolean {
  return singularOf(noun) !== noun;
}

/** The plural of the last word; words without one are unchanged: "furniture", "scissors". */
export function pluralOf(noun: string): string {
  const known = vocabulary().byKey.get(keyOf(noun))?.[0];
  if (known !== undefined && known.said.number !== "count" && keyOf(known.name) === keyOf(noun)) return noun;
  const at = noun.lastIndexOf(" ") + 1;
  const [front, word] = [noun.slice(0, at), noun.slice(at)];
  if (/ of /.test(noun) && !/^(?:out|because) of/.test(noun)) {
    // "chests of drawers", "bowls of fruit"
    const head = noun.slice(0, noun.indexOf(" of "));
    return pluralOf(head) + noun.slice(head.length);
  }
  return front + pluralWord(word);
}

/** The plural of one word by its ending and the list of irregular ones. */
export function pluralWord(word: string): string {
  const end = compoundEnd(word);
  if (end !== undefined) return word.slice(0, -end.length) + IRREGULAR[end]!;
  if (word in IRREGULAR) return IRREGULAR[word]!;
  // "bunch of keys" and "trainers" are plural already.
  if (
    SINGULAR.has(word) ||
    (word.length > 4 && /[^su]s$/.test(word) && !NO_PLURAL.has(word) && !/[ai]s$/.test(word))
  )
    return word;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** What a word may be the plural of, likeliest first; empty if it is not a plural. */
function singularsOf(word: string): string[] {
  const irregular = SINGULAR.get(word);
  if (irregular !== undefined) return [irregular];
  const end = COMPOUND_ENDS.find((one) => word.endsWith(IRREGULAR[one]!) && word.length > one.length + 2);
  if (end !== undefined && IRREGULAR[end] !== end) return [word.slice(0, -IRREGULAR[end]!.length) + end];
  if (word.length < 3 || !word.endsWith("s") || NO_PLURAL.has(word) || word.endsWith("ss")) return [];
  const bare = word.slice(0, -1);
  // "bikinis" is a plural because "bikini" is known; "iris" and "bus" are not.
  if (/[ui]s$/.test(word)) return [bare, word];
  if (word.endsWith("ies")) return word.length > 4 ? [`${word.slice(0, -3)}y`, bare] : [bare];
  if (/(?:sses|shes|ches|xes|zzes)$/.test(word)) return [bare, word.slice(0, -2)];
  if (/(?:[sz]|o)es$/.test(word)) return [bare, word.slice(0, -2)].toSorted(byEnding(word));
  if (word.endsWith("ves")) return [`${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`, bare];
  return [bare];
}

/** "vases" has its own e, "buses" and "potatoes" do not: the last guess is the rule. */
function byEnding(word: string): (a: string, b: string) => number {
  const own = /(?:shoes|toes|canoes|ases|oses|ises|uses|izes|azes)$/.test(word);
  return (a, b) => (own ? a.length - b.length : b.length - a.length);
}

function compoundEnd(word: string): string | undefined {
  if (NOT_COMPOUND.has(word)) return undefined;
  return COMPOUND_ENDS.find((end) => word.endsWith(end) && word.length > end.length);
}
