import { roomKind } from "../../ontology/index.ts";
import { type Token, type Written, written } from "./tokens.ts";

/** Given room names of several words ("Anna's den") become one word each, so that the reader knows where they end. */
export function withRoomNames(sentences: readonly Written[], rooms: ReadonlySet<string>): readonly Written[] {
  const named = [...rooms].filter(isGiven).sort((a, b) => b.length - a.length);
  if (named.length === 0) return sentences;
  return sentences.map((one) => ({ ...one, tokens: joined(one.tokens, named) }));
}

/** "Bedroom 2" is a kind of room with a number, not a given name. */
function isGiven(name: string): boolean {
  return name.includes(" ") && roomKind(name.replace(/ \d+$/, "")) === undefined;
}

function joined(tokens: readonly Token[], named: readonly string[]): readonly Token[] {
  const all: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = lengthAt(tokens, at, named);
    const part = tokens.slice(at, at + Math.max(1, length));
    const [first] = part;
    all.push(
      length === 0
        ? first!
        : { ...first!, word: written(part.map(({ word }) => word)), raw: first!.word, isRoom: true },
    );
    at += part.length;
  }
  return all;
}

/** The number of words of such a name here. */
function lengthAt(tokens: readonly Token[], at: number, named: readonly string[]): number {
  for (const name of named) {
    let said = "";
    for (let end = at; end < tokens.length && said.length < name.length; end++) {
      said = written(tokens.slice(at, end + 1).map(({ word }) => word));
      if (said === name) return end + 1 - at;
    }
  }
  return 0;
}
