/** Stop words: function words, question words, generic words for places and things. */
const EMPTY = new Set(
  (
    "a an the is are was were be been am i me my mine we us our you your he him his she her they them their it its this that these those " +
    "and or but so as if of to in on at by for from with without into onto about over out up down off there here where what which who whom " +
    "when how why do does did done doing have has had having can could will would shall should may might must not no yes any some " +
    "something somewhere anything anywhere someplace thing things item object place spot room area part corner house home around " +
    "use using used want wants wanted need needs needed like fancy wish love really very quite just too much more most bit little lot " +
    "go going get getting got take make made put find give show tell know think see help let lets please would'd id ive im " +
    "good nice suitable suit best better right recommend suggest suggestion advice idea chance guide lead bring head grab able way " +
    "one ones somebody person's feel feels feeling while now then again also still already keep keeps kept come comes coming all each every " +
    "than only even ever never because since after before during until own same other another such myself yourself whereabouts location " +
    "job purpose handy situation grateful thanks whenever order people folks am's"
  ).split(" "),
);

const IRREGULAR = new Map(
  (
    "froze:freez frozen:freez wrote:writ written:writ broke:break broken:break tore:tear torn:tear slept:sleep ate:eat eaten:eat drank:drink " +
    "drunk:drink spilt:spill burnt:burn dirt:dirt dirtier:dirt feet:foot teeth:tooth children:child kids:child kid:child leaves:leaf " +
    "shelves:shelf knives:knife ran:run sat:sit lay:lie lying:lie lies:lie cooking:cook clothing:cloth clothes:cloth cold:cold colder:cold " +
    "warmer:warm warmth:warm hotter:hot darker:dark darkness:dark brighter:bright hunger:hungr thirst:thirst wet:wet smoky:smok smoke:smok " +
    "steamy:steam dusty:dust sleepy:sleep asleep:sleep noise:nois noisy:nois rainy:rain raining:rain washing:washing"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** The stems of the words that matter, in order. */
export function stemsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^a-z ]+/g, " ")
    .split(" ")
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stemOf);
}

/** An English word without its endings, roughly: enough to see that "dusty" is about dust. */
export function stemOf(word: string): string {
  let stem = kept.get(word);
  if (stem === undefined) {
    stem = IRREGULAR.get(word) ?? withoutEndings(word);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(word, stem);
  }
  return stem;
}
const MAX_KEPT = 10_000;
const kept = new Map<string, string>();

function withoutEndings(word: string): string {
  if (word.length <= 3) return word;
  const bare = word
    .replace(/(?:iest|ier|ies|ily|iness)$/, "y")
    .replace(/(?:ings?|edly|ed|es|s|ly|er)$/, (end, at: number) => (at >= 3 ? "" : end))
    .replace(/(?:y|e)$/, "");
  return bare.replace(/([bdfgmnprt])\1$/, "$1");
}
