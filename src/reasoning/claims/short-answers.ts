import { attributesOf } from "../../ontology/index.ts";

/** How a short answer completes its question. */
interface Form {
  readonly asked: RegExp;
  /** Statements that the answer may mean, the likeliest first. */
  readonly means: (answer: string, groups: readonly string[]) => readonly string[];
}

const IS = "(is|are|was|were)";
const PLACE_WORD =
  /^(?:on|in|inside|at|under|below|beneath|above|over|next|beside|by|near|against|between|behind|left|right|to|upstairs|downstairs|close)\b/i;

const WITH = /^(?:with|using|use|by|try|at|from) (?=the|a|an)/i;
const STANDS =
  /\b(?:stands|sits|lies|hangs|rests)(?= (?:on|in|at|by|near|next|under|above|behind|beside|over|to|between|within|around))/gi;

const FORMS: readonly Form[] = [
  {
    asked: new RegExp(`^(?:in |on )?(?:what|which) (?:room|floor)s? ${IS} (.+?)(?: in| on| located)?$`, "i"),
    means: (said, [verb, subject]) => [`${subject} ${verb} ${at(said, "in")}`],
  },
  {
    asked: new RegExp(`^(?:what|which) (?:colou?r|material|size|shape|kind|type|brand)s? ${IS} (.+)$`, "i"),
    means: (said, [verb, subject]) => [`${subject} ${verb} ${said}`],
  },
  {
    asked: new RegExp(`^what ${IS} (.+) made (?:of|from)$`, "i"),
    means: (said, [verb, subject]) => [`${subject} ${verb} made of ${said}`, `${subject} ${verb} ${said}`],
  },
  {
    asked: new RegExp(
      `^where ${IS} (.+?)(?: now| located| at the moment| first| last| before| earlier| then)?$`,
      "i",
    ),
    means: (said, [verb, subject]) => placesOf(`${subject} ${verb}`, said),
  },
  {
    asked:
      /^where (?:did|do|can|could|should|would|might|has|have) (?:i|you|we|one) (?:\w+ )?(?:see|find|left|leave|keep|get|put|look for|seen|spot) (.+?)(?: last)?$/i,
    means: (said, [subject]) => placesOf(`${subject} is`, said),
  },
  {
    asked: /^where (?:did|has|have) (.+) (?:go|gone|went|end up)$/i,
    means: (said, [subject]) => placesOf(`${subject} is`, said),
  },
  {
    asked: new RegExp(`^how many (.+?) ${IS}(?: there)?(?: (.+))?$`, "i"),
    means: (said, [what, verb, where = ""]) => [
      `there ${/^(?:one|1)$/i.test(said) ? "is" : verb} ${said.replace(/ .*/, "")} ${what} ${where}`.trim(),
    ],
  },
  {
    asked: new RegExp(
      `^(?:what|which)(?: [\\w-]+){0,3}? ${IS}(?: there)? ((?:on|in|inside|under|above|next|beside|near|behind|between|left|right|to|closest|nearest|at|against|over|below|by|within|around).+)$`,
      "i",
    ),
    means: (said, [verb, where]) => [
      `${withArticle(said)} ${verb} ${where}`,
      `there is ${withArticle(said)} ${where}`,
    ],
  },
  {
    asked: new RegExp(`^(?:what|which) [\\w-]+(?: [\\w-]+)? ${IS} (.+)$`, "i"),
    means: (said, [verb, rest]) => [`${withArticle(said)} ${verb} ${rest}`],
  },
  {
    asked: /^who (.+)$/i,
    means: (said, [rest]) => [`${said} ${rest}`],
  },
  {
    asked:
      /^(?:(?:is|are|was|were) there|do you (?:have|know)|did you (?:see|find|notice)|have (?:you|we)|(?:(?:where|what|which|how)\b.*?)?\b(?:can|could|should) (?:i|we|you|one)|i (?:need|want)|any)\b/i,
    means: (said) => [`there is ${withArticle(said.replace(WITH, ""), "a")}`],
  },
];

/** A short answer in full: "beige" to "What colour is the sofa?" means that the sofa is beige. */
export function inFull(answer: string, question: string, name?: string): readonly string[] {
  const quoted = /^"([^"]+)"$/.exec(answer)?.[1];
  if (quoted !== undefined && name !== undefined) return [`${name} says "${quoted}"`];
  const asked = question
    .replace(/[?!.\s]+$/, "")
    .replace(/^(?:and|so|please|hey|ok|well)[, ]+/i, "")
    .replace(/^(what|where|who)'s\b/i, "$1 is")
    .replace(STANDS, "is");
  for (const { asked: form, means } of FORMS) {
    const found = form.exec(asked);
    if (found)
      return means(
        answer,
        found.slice(1).map((group) => group ?? ""),
      );
  }
  // "Where does one shower?" is about the cited thing without naming it.
  return name !== undefined && /^where\b/i.test(asked) ? placesOf(`${name} is`, answer) : [];
}

/** The subject of a question about one thing: "it" in the answer. */
export function subjectOf(question: string): string | undefined {
  const [full] = inFull("there", question);
  const object = /\bthere (?:is|are|was|were) (?:\w+ ){0,3}?(the [\w-]+(?: [\w-]+)?)$/i.exec(full ?? "")?.[1];
  if (object !== undefined) return object;
  const [, subject] = /^((?:the|my|your|a|an|\p{Lu}).*?) (?:is|are|was|were)\b/u.exec(full ?? "") ?? [];
  if (subject !== undefined && !/\bthere$/i.test(subject)) return subject;
  const words =
    /^(?:is|are|was|were|does|do|did|has|have|how \w+(?: away)? (?:is|are))\b ((?:the|my|your)\b.*)/i
      .exec(question.replace(/[?!.]+$/, ""))?.[1]
      ?.split(" ");
  if (!words) return undefined;
  // The name ends where a predicate begins.
  const end = words.findIndex((word, n) => n > 1 && (ENDS_NAME.test(word) || attributesOf(word).length > 0));
  return words.slice(0, end < 0 ? MOST_NAMED : Math.min(end, MOST_NAMED)).join(" ");
}

/** The most words of a name with its article. */
const MOST_NAMED = 4;
const ENDS_NAME =
  /^(?:on|in|inside|at|is|are|was|were|still|made|next|under|from|to|near|behind|beside|above|below|of|by|that|which|and|or|been|look|have|has|say|stand|contain)$/i;

function placesOf(head: string, said: string): string[] {
  if (PLACE_WORD.test(said)) return [`${head} ${said}`];
  const where = withArticle(said, "the");
  return [`${head} in ${where}`, `${head} on ${where}`, `${head} next to ${where}`];
}

const at = (said: string, preposition: string) =>
  PLACE_WORD.test(said) ? said : `${preposition} ${withArticle(said, "the")}`;

function withArticle(said: string, article = "the"): string {
  if (
    /^(?:the|a|an|my|your|his|her|\d|\p{Lu}|one|two|three|four|five|six|seven|eight|nine|ten)\b/u.test(said)
  )
    return said.replace(/^(?:A|An|The)\b/, (word) => word.toLowerCase());
  return `${article} ${said}`;
}
