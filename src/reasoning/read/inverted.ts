import type { Token } from "./tokens.ts";

/** Past and third-person forms of verbs that questions are asked with, by their plain form. */
const PLAIN: Readonly<Record<string, string>> = {
  saw: "see",
  seen: "see",
  went: "go",
  goes: "go",
  left: "leave",
  put: "put",
  puts: "put",
  gets: "get",
  got: "get",
  came: "come",
  comes: "come",
  entered: "enter",
  stayed: "stay",
  spent: "spend",
  drove: "drive",
  walked: "walk",
  walks: "walk",
  visited: "visit",
  found: "find",
  noticed: "notice",
  moved: "move",
  turned: "turn",
  stopped: "stop",
  passed: "pass",
  met: "meet",
  kept: "keep",
  took: "take",
  carried: "carry",
  wore: "wear",
  did: "do",
  stood: "stand",
  sat: "sit",
  lay: "lie",
  looked: "look",
  travelled: "travel",
  started: "start",
  ended: "end",
  has: "have",
  had: "have",
  reaches: "reach",
  belongs: "belong",
  says: "say",
  reads: "read",
  leads: "lead",
  looks: "look",
  contains: "contain",
  holds: "hold",
  shows: "show",
  opens: "open",
  weighs: "weigh",
};
const WH = /^(?:where|when|how|what|which|who|whom|whose|why)$/;
const SUBJECT = /^(?:i|you|we|they|he|she|it|one|somebody|someone|anybody|anyone|people)$/;
const ADVERB = /^(?:last|first|ever|just|actually|really|usually|originally|finally|also|already|exactly)$/;

/**
 * A question that stands inside another sentence has its verb at the end: "tell me when you last saw it", "how one gets
 * there", "where the mug is". The same words in the order of a question; undefined where they are in it already.
 */
export function inverted(tokens: readonly Token[]): Token[] | undefined {
  if (tokens.length < 3 || !WH.test(tokens[0]!.word)) return undefined;
  const lead =
    /^(?:how|what|which)$/.test(tokens[0]!.word) &&
    /^(?:long|often|far|many|much|big|large|tall|wide|high|deep|way|time|times|room|floor|colour|kind|sort)$/.test(
      tokens[1]?.word ?? "",
    )
      ? 2
      : 1;
  if (
    /^(?:is|are|was|were|do|does|did|have|has|can|could|will|would|should|am)$/.test(tokens[lead]?.word ?? "")
  )
    return undefined;
  const word = (text: string): Token => ({ word: text, raw: text, quoted: false, parted: false });
  const subject = tokens[lead];
  if (subject && SUBJECT.test(subject.word)) {
    let at = lead + 1;
    while (ADVERB.test(tokens[at]?.word ?? "")) at++;
    const verb = tokens[at]?.word;
    if (verb === undefined) return undefined;
    if (/^(?:is|are|was|were|have|can|could|would|should|am|will)$/.test(verb))
      return [...tokens.slice(0, lead), tokens[at]!, ...tokens.slice(lead, at), ...tokens.slice(at + 1)];
    const plain = PLAIN[verb] ?? (isPlain(verb) ? verb : undefined);
    if (plain === undefined) return undefined;
    const aux = plain === verb && verb !== "put" ? "do" : "did";
    return [
      ...tokens.slice(0, lead),
      word(aux),
      ...tokens.slice(lead, at),
      word(plain),
      ...tokens.slice(at + 1),
    ];
  }
  if (subject?.word === "there" && /^(?:is|are|was|were)$/.test(tokens[lead + 1]?.word ?? ""))
    return [...tokens.slice(0, lead), tokens[lead + 1]!, subject, ...tokens.slice(lead + 2)];
  const last = tokens.at(-1)!;
  if (/^(?:is|are|was|were)$/.test(last.word))
    return [...tokens.slice(0, lead), last, ...tokens.slice(lead, -1)];
  return undefined;
}

function isPlain(verb: string): boolean {
  return Object.values(PLAIN).includes(verb);
}
