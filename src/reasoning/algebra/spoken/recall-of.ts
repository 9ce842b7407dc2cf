import { type Expression, LIMITS } from "../../../schema/index.ts";
import { kindOf } from "../check.ts";
import { node } from "../notation.ts";
import { type SpokenQuestion, VERBS } from "./question.ts";

/**
 * A question about things as one that captions can answer: the same words, with what its expression says of the kind of
 * answer, of order, and of what the asked one did. Where no expression was read, the words themselves tell the kind.
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
    attribute: root.op === "attribute" ? root.with["name"] : undefined,
    state,
    negated: ["none", "not", "never"].includes(root.op) || undefined,
    verb: VERBS.find((one) => one === verb) ?? verbBy(plain),
    ...aside,
  });
}

/** Below times, viewers and habits. */
function rootOf(expression: Expression): Expression {
  let root = expression;
  while (["at", "from", "usual", "likely", "ever"].includes(root.op) && root.of[0]) root = root.of[0];
  return root;
}

function* nodesOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const one of expression.of) yield* nodesOf(one);
}

/** "after you passed the sofa": what was done, and on which side of it. */
function besideOf(all: readonly Expression[]): Pick<SpokenQuestion, "beside" | "besideVerb"> {
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

function answerOf(root: Expression, text: string): SpokenQuestion["answer"] {
  if (root.op === "duration") return "duration";
  if (root.op === "place" || root.op === "room" || root.op === "route") return "place";
  switch (kindOf(root)) {
    case "truth":
      return "truth";
    case "times":
      return "times";
    case "number":
      return root.op === "seen" ? "times" : "count";
    case "self":
    case "route":
      return "place";
    default:
      return root.op === "recall" ? answerBy(text) : "words";
  }
}

const COLOUR = /\b(?:what|which) colou?r\b/;

function verbBy(text: string): SpokenQuestion["verb"] {
  const own = /\b(?:i|you|we|the robot)\b.*\b(stop|turn)(?:p?ed|p?ing)?\b/.exec(text)?.[1];
  return VERBS.find((one) => one === own);
}

/** By its first words, for what was not understood any further. */
function answerBy(text: string): SpokenQuestion["answer"] {
  const words = text.toLowerCase();
  if (/^(?:is|are|am|was|were|do|does|did|has|have|had|can|could)\b/.test(words)) return "truth";
  if (/^(?:when|(?:at )?what time|how long ago)\b/.test(words)) return "times";
  if (/^(?:for )?how long\b/.test(words)) return "duration";
  if (/^how many\b/.test(words)) return "count";
  return /^(?:where|take me|bring me|find|which way)\b/.test(words) ? "place" : "words";
}
