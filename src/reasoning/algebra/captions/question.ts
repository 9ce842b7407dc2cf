import { type Expression, isLociError, LIMITS } from "../../../schema/index.ts";
import { kindOf } from "../check.ts";
import { node } from "../notation.ts";
import { type CaptionQuestion, VERBS } from "./caption-question.ts";

/**
 * A question about things as one that captions can answer: the same words, with the kind of answer, the order and the
 * robot's action from its expression. Without an expression, the words themselves give the kind.
 */
export function recallOf(text: string, expression?: Expression | undefined): Expression {
  const plain = text
    .toLowerCase()
    .replace(/[?.!\s]+$/, "")
    .slice(0, LIMITS.queryChars);
  if (expression === undefined)
    return node("recall", [], {
      text: plain,
      answer: answerBy(plain),
      attribute: COLOUR.test(plain) ? "colour" : undefined,
      verb: verbBy(plain),
      ...besideBy(plain),
    });
  const all = [...nodesOf(expression)];
  const aside = besideOf(all);
  const doing = all.find(({ op, with: { verb } }) => op === "doings" && verb !== aside.besideVerb);
  const verb = doing?.with["verb"];
  const which = all.find(({ with: { which } }) => which === "first" || which === "last")?.with["which"];
  const nth = all.find(({ op }) => op === "nth")?.with["n"];
  const named = all.find(
    ({ op, with: { category, name } }) => op === "things" && (category ?? name) !== undefined,
  )?.with;
  const root = rootOf(expression);
  const state = all.find(({ op }) => op === "is")?.with["value"] ?? named?.["openness"] ?? named?.["power"];
  return node("recall", [], {
    text: plain,
    answer: answerOf(root, plain),
    order: which ?? (nth === 1 ? "first" : nth === -1 ? "last" : undefined),
    nearest: all.some(({ op, of }) => op === "least" && of[1]?.op === "distance") || undefined,
    about: named?.["category"] ?? named?.["name"],
    attribute: root.op === "attribute" ? root.with["name"] : COLOUR.test(plain) ? "colour" : undefined,
    state,
    negated: ["none", "not", "never"].includes(root.op) || undefined,
    verb: VERBS.find((one) => one === verb) ?? verbBy(plain),
    ...aside,
    ...besideBy(plain),
  });
}

/** The expression without times, viewers and habits. */
function rootOf(expression: Expression): Expression {
  let root = expression;
  while (["at", "from", "usual", "likely", "ever"].includes(root.op) && root.of[0]) root = root.of[0];
  return root;
}

function* nodesOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const one of expression.of) yield* nodesOf(one);
}

/** "after you passed the sofa": the action, and which side of it. */
function besideOf(all: readonly Expression[]): Pick<CaptionQuestion, "beside" | "besideVerb"> {
  for (const { op, of } of all) {
    if (op !== "before" && op !== "after") continue;
    const inner = [...nodesOf(of[0]!)];
    const verb = inner.find((one) => one.op === "doings")?.with["verb"];
    const isSight = inner.some((one) => one.op === "when");
    const besideVerb = VERBS.find((one) => one === verb) ?? (isSight ? ("see" as const) : undefined);
    if (besideVerb) return { beside: op, besideVerb };
  }
  return {};
}

/** The requested kind of answer: by the words where they are plain, otherwise by the expression. */
function answerOf(root: Expression, text: string): CaptionQuestion["answer"] {
  const said = answerBy(text);
  if (said !== "truth" && said !== "words") return said;
  const read = answerRead(root) ?? said;
  return said === "words" && read === "truth" ? "words" : read;
}

/** The kind of answer of an expression; undefined for one that is not in the algebra. */
function answerRead(root: Expression): CaptionQuestion["answer"] | undefined {
  if (root.op === "duration") return "duration";
  if (root.op === "place" || root.op === "room" || root.op === "route") return "place";
  if (root.op === "recall" || root.op === "refuse") return undefined;
  try {
    const kind = kindOf(root);
    if (kind === "number") return root.op === "seen" ? "times" : "count";
    return kind === "truth" || kind === "times" ? kind : kind === "self" ? "place" : "words";
  } catch (error) {
    if (isLociError(error)) return undefined;
    throw error;
  }
}

const COLOUR = /^(?:what|which)\b.*\bcolou?r\b/;
const OWN_VERB =
  /\b(?:i|you|we|the robot)\b.*\b(stop|turn)(?:p?ed|p?ing)?\b|\b(stop|turn)s? did (?:i|you|we)\b/;
const BESIDE =
  /\b(before|after) (?:(?:i|you|we|the robot) )?(?:(leaving|left|exiting|exited|got out|going out|came out)|(entering|entered|got in|going in|went in|came in))/;

function verbBy(text: string): CaptionQuestion["verb"] {
  const own = OWN_VERB.exec(text);
  return VERBS.find((one) => one === (own?.[1] ?? own?.[2]));
}

/** "after leaving the building". */
function besideBy(text: string): Pick<CaptionQuestion, "beside" | "besideVerb"> {
  const said = BESIDE.exec(text);
  if (!said) return {};
  return { beside: said[1] as "before" | "after", besideVerb: said[2] === undefined ? "enter" : "exit" };
}

const WAY =
  /^(?:where|find|(?:(?:can|could|would) (?:you|we) )?(?:please )?(?:take|bring|guide|lead|drive|show me the way|go back)\b)/;

/** By its first words, for a question that was not parsed. */
function answerBy(text: string): CaptionQuestion["answer"] {
  const words = text.toLowerCase();
  if (WAY.test(words)) return "place";
  if (/^(?:is|are|am|was|were|do|does|did|has|have|had|can|could)\b/.test(words)) return "truth";
  if (/^(?:when|(?:at )?what time|how long ago)\b/.test(words)) return "times";
  if (/^(?:for )?how long\b/.test(words)) return "duration";
  if (/^how many\b/.test(words)) return "count";
  return "words";
}
