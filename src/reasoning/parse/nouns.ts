/** Plurals that no ending tells. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: "person",
  persons: "person",
  men: "man",
  women: "woman",
  children: "child",
  feet: "foot",
  teeth: "tooth",
  mice: "mouse",
  geese: "goose",
  shelves: "shelf",
  bookshelves: "bookshelf",
  knives: "knife",
  leaves: "leaf",
  loaves: "loaf",
  halves: "half",
  scarves: "scarf",
  dice: "die",
};
/** Singular, or used in the plural only, whatever they end with. */
const AS_THEY_ARE = new Set(
  "glasses scissors pants trousers jeans shorts stairs clothes headphones sunglasses keys blinds curtains series species bus gas lens canvas cactus atlas compass mattress dress glass grass brass chess address boss cross kiss mess pass press class access bass christmas always this us is was has news tennis sheep fish furniture luggage"
    .split(" ")
    // These have a singular that is used.
    .filter((word) => !["keys", "curtains", "blinds", "headphones", "glasses"].includes(word)),
);

/** The singular of the last word: "dining chairs" → "dining chair". Unknown words follow the common endings. */
export function singularOf(noun: string): string {
  const at = noun.lastIndexOf(" ") + 1;
  return noun.slice(0, at) + singularWord(noun.slice(at));
}

/** Whether the last word stands for several. */
export function isPlural(noun: string): boolean {
  return singularOf(noun) !== noun;
}

function singularWord(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || AS_THEY_ARE.has(word) || !word.endsWith("s") || /(?:ss|us|is)$/.test(word))
    return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:sses|shes|ches|xes|zzes)$/.test(word)) return word.slice(0, -2);
  if (/(?:oes)$/.test(word) && !/(?:shoes|toes|canoes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
