const END = "(?=\\s*(?:[.,;:?!]|$))";
const VERB =
  "(?!(?:the|a|an|my|your|what|where|which|me|us|here|there|have a look|turn to|head)\\b)([a-z]+\\b[^.,;:?!]*?)";
const ONE = "(?:i|we|one|you|people|someone|somebody|a person|anyone|folks|me|us)";

/** Where the doing stands in "what can I use to dry my hands": tried in order. */
const DOINGS: readonly RegExp[] = [
  new RegExp(`\\b(?:let|lets|help|helps|helping|allow|allows|enable|enables) ${ONE} (?:to )?${VERB}${END}`),
  new RegExp(
    `\\b(?:want|wants|wanted|wanting|need|needs|needed|like|love|wish|hope|hoping|fancy|wishing|wished|try|trying|looking|keen|able|possible|order|have|has|going|about|mood|planning|intend|aim) to ${VERB}${END}`,
  ),
  new RegExp(`^(?:if|when|in order|so as)?\\s*(?:to) ${VERB}(?=,)`),
  new RegExp(
    `\\b${ONE} (?:can|could|might|would|should|may|will|are able to|am able to|is able to)(?: best| comfortably| actually| easily| always)? ${VERB}${END}`,
  ),
  new RegExp(
    `\\b(?:can|could|might|would|should|may|do|does) ${ONE}(?: best| comfortably| actually| easily)? ${VERB}${END}`,
  ),
  new RegExp(`\\bto (?:go (?:to|and|if i want to) )?${VERB}${END}`),
  new RegExp(`\\b(?:for|of|by|about|feel like|fancy|some) ((?:[a-z]+ing)\\b[^.,;:?!]*?)${END}`),
  new RegExp(
    `\\b(?:used|use|good|suitable|suited|meant|handy|useful|ideal|perfect|best|right|made|place|spot|room|somewhere) for ((?!me\\b)[a-z]+\\b[^.,;:?!]*?)${END}`,
  ),
];
const TRAILING =
  /\s+(?:with|in|on|at|around here|round here|here|in here|in this (?:house|place|home)|in the (?:house|home|place)|(?:in|around) the house|please|with it|best|comfortably|for that|now)$/;

/** What people say around what they want to do. */
const AROUND =
  /^(?:(?:be able|go|try|want|wish|like|need|have|hope|get) to|be in a position to|go and|come and|best|possibly|comfortably|either) /;
/** Verbs of asking, and verbs that only point at what was said before. */
const NO_DOING =
  /^(?:(?:recommend|suggest|advise|propose|pick|choose|describe|direct|tell|with|that|this|it|so|there|here|me|us|for|know (?:one|of)|be|find (?:that|this|it|such|some|a|an|the)|the)\b.*|(?:do|see|get|use|go|look|find|head|turn|have|grab|know|sit|take|need)(?: (?:that|this|it|so|there|one|of|to|for|if|around|to use|to do)\b.*)?)$/;

/** What somebody wants to do: "dry my hands". */
export function doingIn(text: string): string | undefined {
  for (const pattern of DOINGS) {
    for (const match of text.matchAll(new RegExp(pattern, "g"))) {
      const doing = withoutTrail((match[1] ?? "").trim().replace(AROUND, ""));
      if (doing !== "" && !NO_DOING.test(doing)) return baseForm(doing);
    }
  }
  return undefined;
}

function withoutTrail(doing: string): string {
  const shorter = doing.replace(TRAILING, "");
  return shorter === doing || shorter === "" ? doing : withoutTrail(shorter);
}

/** "drying my hands" as "dry my hands". */
function baseForm(doing: string): string {
  return doing
    .replace(/^([a-z]+?)([b-df-hj-np-tv-z])\2ing\b/, "$1$2")
    .replace(/^([a-z]{2,}(?:k|t|n|p|d|l|y|h|w|x|ss|r))ing\b/, "$1");
}

const MOODS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:that|which|it|where it) (?:is|are|feels|looks|seems|would be|should be|will be|must be|has to be|needs to be|is said to be)(?: both| all| really| nice and)? ([^.,;:?!]+?)${END}`,
  ),
  new RegExp(
    `\\b(?:place|spot|room|corner|area|part)s?(?: [a-z]+){0,4} (?:is|are|would be|feels|looks|seems|counts as|qualifies as|could be called|can be called)(?: both| the most| most)? ([^.,;:?!]+?)${END}`,
  ),
  new RegExp(`\\b(?:somewhere|anywhere|someplace)(?: that is| which is| to be)? ([^.,;:?!]+?)${END}`),
  /\b(?:an?|some|any|the most|most) ((?!good|nice|place|spot|suitable|great|particular)[a-z]+(?:(?:,| and|, and) [a-z]+)*) (?:place|spot|room|corner|area|part)\b/,
  new RegExp(
    `\\b(?:to be|described as|called|being|be|find|both|as|atmosphere of|feel of) ([^.,;:?!]+?)${END}`,
  ),
];

/** What a place should be like: "bright and cosy". */
export function moodIn(text: string): string | undefined {
  for (const pattern of MOODS) {
    const found = pattern.exec(text)?.[1]?.trim();
    if (found)
      return found
        .replace(
          /^(?:(?:that is|which is|is|be|described as|described|seen as|regarded as|considered|called|both)\s+)+/,
          "",
        )
        .replace(
          /\s+(?:(?:may|can|could|might|would|will) be (?:found|located)|i (?:can|could|might) (?:go|be|sit|use)|would (?:be|suit)|to be)\b.*$/,
          "",
        )
        .replace(TRAILING, "");
  }
  return undefined;
}

const HELP =
  /\b(?:help|advice|advise|ideas?|suggest(?:ions?)?|recommend(?:ations?)?|a hand|tips?|thoughts|what (?:can|should|could|would|do|shall|must|might) (?:i|we|you)|what now|any thoughts|what is (?:the )?best|how (?:can|do|should|could|might|would) (?:i|we|you)|how to|(?:fix|change|solve|handle) (?:that|this|it)|what (?:have|has) (?:i|we) to|where (?:should|can|could|do) (?:i|we)|what to do|tell me what|listen|what would)\b/;

/** What somebody complains of or wants, without the cry for help: "I am cold". */
export function complaintIn(text: string): string | undefined {
  const sentences = text
    .split(/[.;?!]\s*|:\s+|,\s+(?=(?:what|how|any|can|could|would|do|got|have you|where|please|help)\b)/)
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ""))
    .filter((part) => part !== "");
  const own = sentences.filter(
    (part) => !HELP.test(part) || /^(?:i|we) (?:want|need|would like) to\b/.test(part),
  );
  const said =
    own.find((part) => /^(?:i|we|it|my|the|there|our|this|somebody|someone)\b/.test(part)) ?? own[0];
  // One sentence may tell the need and ask for help.
  return said ?? text;
}
