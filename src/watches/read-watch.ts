/** When to notify: when the condition becomes true, becomes false, or both. */
export type On = "enter" | "exit" | "change";

const ASKING =
  /^(?:please\s+)?(?:(?:tell|warn|alert|notify|inform|remind)\s+(?:me|us)|let\s+(?:me|us)\s+know|watch|wait|say\s+so)(?:\s+for)?\s+/i;
const WHEN = /^(?:when(?:ever)?|if|once|as\s+soon\s+as|until)\s+(?!(?:is|are|was|were|did|do|does|will)\b)/i;
const SOMEBODY = /^(?:some(?:body|one)|any(?:body|one)|a person|people)$/i;

/** Events as the state before or after them: a verb, the question, and the direction of change to wait for. */
const HAPPENINGS: readonly (readonly [RegExp, (subject: string, rest: string) => string, On])[] = [
  [/^(.+?) (?:is|are|gets?|becomes?) opened$|^(.+?) opens?$/i, (who) => `Is ${who} open?`, "enter"],
  [
    /^(.+?) (?:is|are|gets?) (?:closed|shut)$|^(.+?) (?:closes?|shuts?)$/i,
    (who) => `Is ${who} closed?`,
    "enter",
  ],
  [/^(.+?) (?:goes|turns|is (?:turned|switched)|comes) on$/i, (who) => `Is ${who} on?`, "enter"],
  [/^(.+?) (?:goes|turns|is (?:turned|switched)) off$/i, (who) => `Is ${who} off?`, "enter"],
  [/^(.+?) (?:enters?|comes? (?:in|into|to)|arrives? (?:in|at)|gets? to) (.+)$/i, within, "enter"],
  [
    /^(.+?) (?:leaves?|goes out of|is (?:taken|removed) from|disappears? from|moves? out of) (.+)$/i,
    within,
    "exit",
  ],
  [/^(.+?) (?:is (?:gone|taken away|removed|missing)|disappears?|vanish(?:es)?)$/i, exists, "exit"],
  [/^(.+?) (?:appears?|shows? up|turns? up|comes? back|is (?:found|seen))$/i, exists, "enter"],
  [/^(.+?) (?:moves?|is moved|changes? places?)$/i, (who) => `Where is ${who}?`, "change"],
  [/^there (?:is|are) (.+)$/i, (what) => `Is there ${what}?`, "enter"],
  [/^(.+?) (?:is|are) (?:no longer|not) (.+)$/i, (who, what) => `Is ${who} ${what}?`, "exit"],
  [/^(.+?) (?:is|are) (.+)$/i, (who, what) => `Is ${who} ${what}?`, "enter"],
];

/**
 * Turns a request for notification into a question: “tell me when the door opens” is “Is the door open?”, reported on
 * enter. A plain question is unchanged, and every change of its answer is reported.
 */
export function readWatch(words: string): { readonly question: string; readonly on: On } {
  const text = words.trim().replace(/[.!]+$/, "");
  const clause = text.replace(ASKING, "").replace(WHEN, "");
  const isWish = clause !== text;
  if (!isWish && (text.endsWith("?") || /^(?:who|what|which|where|how|is|are|does|do)\b/i.test(text)))
    return { question: text, on: "change" };
  for (const [pattern, question, on] of HAPPENINGS) {
    const match = pattern.exec(clause);
    const [subject, rest] = (match?.slice(1) ?? []).filter((part) => part !== undefined);
    if (subject !== undefined) return { question: question(subject, rest ?? ""), on };
  }
  return { question: clause, on: "change" };
}

/** Into a room or off a shelf: uses "in" or "on", by the place. */
function within(who: string, place: string): string {
  return SOMEBODY.test(who) ? `Who is in ${place}?` : `Is ${who} ${ON.test(place) ? "on" : "in"} ${place}?`;
}

const ON =
  /\b(?:table|desk|shelf|shelves|counter|floor|rug|carpet|sofa|couch|bed|chair|stand|rack|mat|worktop)s?(?: \d+)?$/i;

function exists(what: string): string {
  return SOMEBODY.test(what) ? "Who is there?" : `Is there ${what.replace(/^(?:the|a|an)\s+/i, "a ")}?`;
}
