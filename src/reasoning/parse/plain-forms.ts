/** Relations that may follow a verb of place. */
const PLACE =
  "(?=(?:on|in|under|behind|above|below|next|near|beside|by|at|to|left|right|over|inside|between|close|opposite|against|upon|underneath|beneath|around|atop)\\b)";
const STANDS =
  "(?:stands?|lies?|sits?|hangs?|rests?|is (?:standing|lying|sitting|hanging|placed|kept|located))";
const PROPERTY = "colou?r|material|height|width|size|length|depth|speed|shape|state";

/** Many ways of asking one thing, each turned into the plainest; tried in order, and every one that fits is used. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  // What is where.
  [/^what (?:can|could) (?:be (?:found|seen)|(?:i|you|we|one) (?:find|see))\s+/, "what is "],
  [new RegExp(`^what ${STANDS}\\s+${PLACE}`), "what is "],
  [new RegExp(`^((?:which|what) [a-z]+(?: [a-z]+)?) ${STANDS}\\s+${PLACE}`), "$1 is "],
  [/^what (?:did|do) (?:you|i|we) have (?=(?:on|to|at|in) )/, "what was "],
  [
    /^(?:(?:on|in) (?:what|which) (?:objects?|things?|items?)?|where) ?(?:can|could|do|did) (?:you|i|we|one) (?:read|see|find)\s+(?="[^"]+"$)/,
    "what says ",
  ],
  [
    /^what (?:text|words?|writing|label|inscription)s? (?:is|are|was|were|stands?) (?:written |printed |to be read )?on\s+/,
    "what is written on ",
  ],
  [
    new RegExp(
      `^how many (.+?) (?:lie|stand|sit|hang|rest|are (?:standing|lying|placed|sitting))\\s+${PLACE}`,
    ),
    "how many $1 are ",
  ],
  [
    new RegExp(
      `^(is|are|was|were) ((?:(?! (?:if|when|while) ).)+?) (?:standing|lying|sitting|placed|located|hanging|kept|resting)\\s+${PLACE}`,
    ),
    "$1 $2 ",
  ],
  [/\bat least one\b/, "a"],
  // Where it is.
  [/^(?:show|tell) (?:me|us) the way to\s+/, "take me to "],
  [
    /^where (?:i|you|we|one) (?:can|could|might|would|will|may) (?:find|see|get|look for)\s+(.*)$/,
    "where is $1",
  ],
  [
    /^(?:which|what) room (?:am|are|is) (?:i|you|we|this|it)(?: in| standing in)?(?: now)?$/,
    "what room is this",
  ],
  [/^where (?:are|am) (?:you|i|we)$/, "what room is this"],
  // Properties.
  [new RegExp(`^what (is|was|are) (.+?)'s (${PROPERTY})(?= at | \\d|$)`), "what $1 the $3 of $2"],
  [
    new RegExp(
      `^(?:tell (?:me|us)|give(?: me| us)?|name|state|say|report|estimate)\\s+(the (?:${PROPERTY}|number|distance|text)\\b.*)$`,
    ),
    "what is $1",
  ],
  [/^what (?:is|was) the number of\s+/, "how many "],
  [/^(?:tell me about|tell us about|say something about)\s+/, "describe "],
  [/^for how long\b/, "how long"],
  // States.
  [/^(?:does|do) (.+?) stand (open|empty|full|closed|free|vacant)$/, "is $1 $2"],
  [
    /^(?:at|on) (?:your|the) last (?:look|visit|sight|encounter)(?: (?:at|of) it)?,? (is|was|were|are) (.*)$/,
    "$1 $2 the last time you saw it",
  ],
  [/^(?:would|could) you say (?:that )?(.+?) (is|are|was|were) (.*)$/, "$2 $1 $3"],
  // What there is.
  [/^can (an?|any|some) (.+?) be (?:found|seen)\s+(.*)$/, "is there $1 $2 $3"],
  [/^(is|are|was|were) (an?|any|some) (?!of\b|(?:thing|object|item)s?\b)/, "$1 there $2 "],
  [
    /^(?:does|do|did) (.+?) (?:have|contain|hold) (more|fewer) (.+?) than (?:in )?(.+)$/,
    "are there $2 $3 in $1 than in $4",
  ],
  [/^(?:does|do|did) (the .+?) (?:contain|include|hold)\s+(.*)$/, "is there $2 in $1"],
  // Comparing and relating.
  [/^of (the .+?) and (the .+?), which(?: one)? is\s+(.*)$/, "which is $3, $1 or $2"],
  [/^(?:does|do) (.+?) (?:take up|occupy|need) more (?:space|room) than\s+(.*)$/, "is $1 bigger than $2"],
  [/^(?:does|do) (.+?) (?:take up|occupy|need) less (?:space|room) than\s+(.*)$/, "is $1 smaller than $2"],
  [/^is (.+?) (nearer|closer) (?!to\b)(the .+?) than (?:to )?(.*)$/, "is $1 $2 to $3 than to $4"],
  [/\bin (?:one|a single) (room)\b/, "in the same $1"],
  [
    new RegExp(`^(?:does|do|did) (.+?) (?:stand|lie|sit|hang|rest)\\s+(?!in the same|on the same)${PLACE}`),
    "is $1 ",
  ],
  // Changes.
  [
    /^what (?:did|was|had) (.+?) (?:been |be )?(?:stand|lie|sit|standing|lying|sitting|stood)?\s*(?:on|in|at) before\b.*$/,
    "where was $1 before it was moved",
  ],
  [
    /^where (?:had|has|did|was|were) (.+?) (?:been |be |stand |lie |located |kept )?before (?:somebody|someone|it|they|anyone|that|being)\b.*$/,
    "where was $1 before it was moved",
  ],
  [
    /^(?:did|has) (?:anyone|somebody|someone|anybody) (?:switch|turn)(?:ed)? ((?:the|my|your) .+?) (on|off)\b/,
    "has $1 been switched $2",
  ],
  [
    /^(?:did|has) (?:anyone|somebody|someone|anybody) open(?:ed)? or (?:close|shut)d? ((?:the|my|your) .*)$/,
    "has $1 been opened or closed",
  ],
  [
    /^(?:did|has) (?:anyone|somebody|someone|anybody) (open|fill|clos|empti|empty|shut|mov|remov)(?:ed|e)? ((?:the|my|your) .+?)(?= in the last| since|$)/,
    "has $2 been $1ed",
  ],
  // What the agent did.
  [/\b(you|i|we) (?:rotating|spinning|revolving)\b/, "$1 turning"],
  [
    /^were (you|i|we) turning (?:to the )?(?:left|right) or (?:to the )?(?:left|right)\b/,
    "which way were $1 turning",
  ],
  [
    /^when (?:did|was|has|were) (.+?) (first|last) (?:come into view|came into view|appear|been seen|seen|visible|noticed|spotted|in (?:view|sight))\b/,
    "when did you $2 see $1",
  ],
  [
    /^(?:which|what) (?:room|place) (?:came|comes|followed|was next|did (?:you|i|we) (?:visit|enter|see))(?: right| directly| next)? (after|before) (the .+?)(?: on your .*)?$/,
    "which room did you go to $1 your first visit to $2",
  ],
  [/^(?:to |towards )?(?:which|what) side (?=(?:were|did|was|are|is) )/, "which way "],
  // Who moved.
  [/^how (was|is|were) (.+?) moving\b/, "which way $1 $2 moving"],
  [
    /^where (was|is|did|were) (.+?) (?:walking|going|heading|moving|running|walk|go|head|move)(?: to| towards?| off to)?(?= (?:at|\d)|$)/,
    "which way was $2 moving",
  ],
  [/\bon the move\b/, "moving"],
  [/\b(?:heading|headed|making|bound) for\b/, "walking towards"],
  [/\bon (?:the|his|her|their) way to\b/, "walking towards"],
  // Needs.
  [
    /^(?:what|which (?:object|thing|item|device)) (?:is there|would help (?:me|us)|could help (?:me|us)|helps? (?:me|us)|lets (?:me|us)|allows (?:me|us))\s+(?:to )?([a-z]+ .*?)(?: with)?$/,
    "what can i use to $1",
  ],
  [
    /^where (?:would|might|could) be (?:a|the) (?:good |nice |suitable |best )?(?:place|spot|room) (to|for)\s+/,
    "find me a place $1 ",
  ],
  [
    /^(?:which|what) (?:place|spot|corner) (?:is|feels|looks|seems)\s+(?!this|that|it)(.*)$/,
    "find me a place that is $1",
  ],
  // The future.
  [/^(?:is|are) (.+?) going to (?:still )?be\b/, "will $1 still be"],
  [
    /^do you (?:expect|think|believe) (?:that )?(.+?) (?:to (?:still )?be|will (?:still )?be)\b/,
    "will $1 still be",
  ],
  [/^(?:in|within|after) [a-z0-9 ]+? (?:minutes?|seconds?|hours?|days?),\s*(?=will\b)/, ""],
];

/** A question in the plainest of the forms that mean the same. */
export function plainForm(text: string): string {
  const named = /^((?:the|my|your) [^:,]+?)[:,] (.*)\b(?:is it|are they|was it)\b(.*)$/.exec(text);
  let plain = named
    ? `${named[2]}is ${named[1]}${named[3]}`.replace(/^(which|what) room is (.*) in$/, "in which room is $2")
    : text;
  for (const [pattern, form] of REWRITES) plain = plain.replace(pattern, form);
  return plain.replace(/\bempt(?:y|i)ed\b/, "emptied").replace(/\bshuted\b/, "shut");
}
