const UNIT =
  "(?:square |cubic )?(?:metres?|meters?|centimetres?|centimeters?|millimetres?|cm|mm|m|feet|foot|inches|degrees|minutes|seconds)";

/** Remarks on how to answer, which change nothing about what is asked; and roundabout forms of plain questions. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\((?:s|es)\)/g, "s"],
  // "in metres", "(in metres)", "measured in centimetres"
  [
    new RegExp(
      `[\\s,]*\\(\\s*(?:measured |given |expressed )?in ${UNIT}\\s*\\)|,\\s*(?:measured |given |expressed )?in ${UNIT}\\b`,
      "g",
    ),
    "",
  ],
  // "Measured between their nearest points, …"
  [/^(?:measured|measuring)\b[^,]*,\s*/, ""],
  // "which of these objects (a, b, c) is …" and "which of these is …: a, b, c" offer a list.
  [
    /\b(which|what) (?:one )?of (?:these|those|the following)(?: objects| things| items| options)? \(([^)]+)\)\s*(.*)$/,
    "$1 $3: $2",
  ],
  [
    /\b(which|what) (?:one )?of (?:these|those|the following)(?: objects| things| items| options)?(?= (?:is|are|was|were)\b)/,
    "$1",
  ],
  [/^(which|what) ((?:is|are|was|were)\b[^:]*): ([^:]*), (?!or )([^,:]+)$/, "$1 $2: $3 or $4"],
  [
    /^how many (?:of )?(?:these|those|the following)\s+((?:is|are|was|were)\b[^:]*):\s*(.+)$/,
    "how many $2 $1",
  ],
  [
    /\b(?:between )?the (?:nearest|closest) (?:points?|surfaces?|edges?|sides?) of (?=(?:the|my|a|an)\b)/g,
    "",
  ],
  [
    /^what (?:is|was) the (?:shortest |smallest )?distance (?:between|from) (.+?) (?:and|to) /,
    "how far apart are $1 and ",
  ],
  [/\bthe length of the longest (?:dimension|side|edge)\b(?:\s*\([^)]*\))?/, "the longest side"],
  [/^how (?:long|large|big) is (?=the longest side\b)/, "what is "],
  [/\bthe longest (?:dimension|edge)\b/, "the longest side"],
  [
    /^(?:seen )?from (the .+?),? (?:and )?(?:looking (?:at|towards?)|facing) (the .+?), (?=(?:where|what|which|on|is|to)\b)/,
    "standing at $1 and looking at $2, ",
  ],
];

/** "(if) I stand by the bed and face the door": where somebody looks from, said before the question. */
const STANDING =
  /^(?:(?:if|when|while) )?(?:(?:i|you|we) (?:am |are |were )?)?(?:stand|standing|sit|sitting|positioned) (?:by|at|next to|near|on|in front of) (.+?),? (?:and )?(?:(?:am |are )?facing|face|look(?:ing)? (?:at|towards?))\s+(.+?)[.,]\s+(?=(?:is|are|was|were|what|which|where|on|to)\b)([^?]*)(.*)$/;

/** A normalised question in its plainest form. */
export function withoutRemarks(question: string): string {
  let text = question;
  for (const [pattern, plain] of REWRITES) text = text.replace(pattern, plain);
  text = text.replace(/\s*\([^()]*\)/g, "");
  const standing = STANDING.exec(text);
  if (standing) {
    const [, by, facing, asked] = standing;
    text = `${asked!.trim()} if i am standing by ${by}, facing ${facing}`;
  }
  return text.replace(/\s+/g, " ").trim();
}
