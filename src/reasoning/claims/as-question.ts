/** A statement as the question to which it answers yes; if negated, no. */
export interface YesNo {
  readonly question: string;
  readonly negated: boolean;
}

const AUXILIARY = /^(?:is|are|was|were|can|could|does|do|did|will|has|have|had)$/i;
const RELATIVE = /^(?:that|which|who)$/i;
/** Verb forms in statements, with the beginning and continuation of their questions. */
const VERBS: ReadonlyMap<string, readonly [auxiliary: string, base: string]> = new Map(
  (
    [
      ["does", "contain/contains hold/holds say/says read/reads show/shows carry/carries belong/belongs"],
      ["does", "support/supports face/faces wear/wears have/has look/looks lead/leads store/stores"],
      [
        "do",
        "contain hold say read show carry belong support face wear have look lead store see know remember",
      ],
      ["did", "carry/carried move/moved bring/brought take/took put go/went leave/left enter/entered"],
      ["did", "come/came see/saw contain/contained hold/held open/opened close/closed turn/turned have/had"],
      ["did", "switch/switched pass/passed walk/walked appear/appeared disappear/disappeared stay/stayed"],
      ["did", "place/placed visit/visited stop/stopped drop/dropped spend/spent notice/noticed find/found"],
    ] as const
  ).flatMap(([auxiliary, verbs]) =>
    verbs.split(" ").map((pair) => {
      const [base, form = base] = pair.split("/");
      return [form!, [auxiliary, base!]] as const;
    }),
  ),
);
const PARTICIPLE = /^(?:been|gone|\w+ed|put|taken|brought|seen|left|come)$/i;

/** A plain statement turned into its question; undefined where no verb is found, as in "in the kitchen". */
export function asQuestion(plain: string): YesNo | undefined {
  const words = toRobot(plain).split(" ");
  let negated = false;
  const kept = words.filter((word, n) => {
    const isNot = /^(?:not|never)$/i.test(word) && n > 0;
    if (isNot) negated = !negated;
    return !isNot;
  });
  const text = kept.join(" ").replace(/\bno longer\b ?/i, () => {
    negated = !negated;
    return "";
  });
  const nothing = /^(?:nothing|no one|nobody)\b (is|was) (.*)$/i.exec(text);
  if (nothing)
    return { question: `${capital(nothing[1]!)} there anything ${nothing[2]}?`, negated: !negated };
  const there = /^there (is|are|was|were|has been|have been) (no |not any )?(.*)$/i.exec(text);
  if (there) {
    const [, verb = "", none, rest] = there;
    const [aux, ...more] = verb.split(" ");
    const any = none === undefined ? "" : "any ";
    const question = `${capital(aux!)} there ${[...more, ""].join(" ")}${any}${rest}?`;
    return { question, negated: none === undefined ? negated : !negated };
  }
  const none = /^no (.*)$/i.exec(text);
  const asked = inverted((none ? `any ${none[1]}` : text).split(" "));
  return asked === undefined ? undefined : { question: asked, negated: none ? !negated : negated };
}

/** The robot's "I" becomes "you" in the question. */
function toRobot(plain: string): string {
  return plain
    .replace(/\bI am\b/g, "you are")
    .replace(/\bI was\b/g, "you were")
    .replace(/\b(?:I|we|the robot)\b/gi, "you")
    .replace(/\bmy\b/gi, "your")
    .replace(/\byou (?:is|was)\b/gi, (found) => (found.endsWith("was") ? "you were" : "you are"));
}

/** Moves the verb to the front. */
function inverted(words: readonly string[]): string | undefined {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!.toLowerCase();
    if (RELATIVE.test(words[at - 1]!)) continue;
    const subject = words.slice(0, at).join(" ");
    const rest = words.slice(at + 1);
    const isHave = /^ha(?:s|ve|d)$/.test(word) && !PARTICIPLE.test(rest[0] ?? "");
    if (AUXILIARY.test(word) && !isHave) return `${capital(word)} ${small(subject)} ${rest.join(" ")}?`;
    const verb = VERBS.get(word);
    if (!verb) continue;
    const often = /\b(?:last|first)$/.exec(subject)?.[0];
    const who = often === undefined ? subject : subject.slice(0, -often.length).trim();
    return [capital(verb[0]), small(who), often, verb[1], ...rest].filter(Boolean).join(" ").concat("?");
  }
  return undefined;
}

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;
const small = (subject: string) =>
  subject.replace(/^(?:The|A|An|Any|My|Your|Both|All|It|They)\b/, (word) => word.toLowerCase());
