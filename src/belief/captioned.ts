import { roomKind } from "../ontology/index.ts";
import { MATCHING } from "./settings/matching.ts";

/** A place named after one of these words is not the place in view. */
const ELSEWHERE = new Set([
  "to",
  "from",
  "toward",
  "towards",
  "into",
  "near",
  "behind",
  "beside",
  "past",
  "for",
]);
const ARTICLES = new Set(["a", "an", "the", "our", "my", "this", "some"]);

/**
 * The kind of room that a caption says it was taken in: the first one named in its first sentence; undefined where
 * there is none.
 */
export function placeSaid(caption: string): string | undefined {
  const [sentence = ""] = caption.toLowerCase().split(/[.:;,“"]|\bwith\b/u);
  const words = sentence.match(/[\p{L}’'-]+/gu) ?? [];
  for (let at = 0; at < words.length; at++) {
    if (isElsewhere(words, at)) continue;
    for (let length = Math.min(MATCHING.mostWords, words.length - at); length > 0; length--) {
      const kind = roomKind(words.slice(at, at + length).join(" "));
      // "a hallway door" is a door: the name must not modify a following noun.
      if (kind && !kind.isWhole) return at + length === words.length ? kind.name : undefined;
    }
  }
  return undefined;
}

function isElsewhere(words: readonly string[], at: number): boolean {
  const before = words[at - 1];
  return ELSEWHERE.has((before !== undefined && ARTICLES.has(before) ? words[at - 2] : before) ?? "");
}

const NAMING =
  /^(?:(?:this|that|it|here|the)(?: \p{L}+)? is|(?:we|people|they|i) call (?:this|that|it)(?: (?:room|area|place|part|zone|space))?)(?: (?:called|named|known as))?:? (?:the |our )?(.+?)[.!]*$/iu;

/** What a person in a place calls it: "This is Anna's room", "we call this loading bay 2". */
export function nameSaid(note: string): string | undefined {
  const [, name = ""] = NAMING.exec(note.trim()) ?? [];
  const words = name.split(/\s+/u);
  if (name === "" || words.length > MATCHING.mostNameWords || /^an?$/iu.test(words[0]!)) return undefined;
  const plain = words.filter((word, n) => n === 0 || n < words.length - 1 || !/^\p{L}?\d*$/u.test(word));
  // The last words say what it is: a room or area of any kind.
  const isPlace = plain.some((_, n) => roomKind(plain.slice(n).join(" ")) !== undefined);
  return isPlace ? name : undefined;
}
