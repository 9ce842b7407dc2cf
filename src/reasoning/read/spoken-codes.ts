/** Bays of a rack in words: "bay 18 of aisle C", "aisle C, bay 18". */
const BAY_FIRST = /\bbay (?:no\.? |number )?(\d{1,3}) (?:of|in|on|down) (?:the )?aisle ([a-z])\b/gi;
const AISLE_FIRST = /\baisle ([a-z]),? bay (?:no\.? |number )?(\d{1,3})\b/gi;

/** Replaces the words for bays by their codes: every form of question about a code then works for bays. */
export function withCodes(question: string): string {
  const code = (aisle: string, bay: string) => `${aisle.toUpperCase()}-${bay.padStart(2, "0")}`;
  return question
    .replace(BAY_FIRST, (_, bay: string, aisle: string) => code(aisle, bay))
    .replace(AISLE_FIRST, (_, aisle: string, bay: string) => code(aisle, bay));
}
