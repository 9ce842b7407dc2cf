/** Words that occur in almost every English question; some, such as "was", also exist in other languages. */
const COMMON =
  /\b(?:the|an?|is|are|was|were|do|does|did|have|has|had|what|which|who|whose|where|when|why|how|can|could|will|would|should|i|me|my|you|your|we|it|this|that|these|there|in|on|at|of|to|for|from|with|find|go|take|show|tell|describe|list|name|count|and|or|not|up|out|by|been|ago|than|see|seen|still|before|after|now|room|house)\b/gi;
/** English has one of them in three or four words; one in eight is enough to try. */
const WORDS_FOR_ONE = 8;
const LEAST_WORDS = 3;

/** False for a text of some length that is most likely in another language, or in none. */
export function looksEnglish(text: string): boolean {
  if (!/[a-z]/i.test(text)) return false;
  const words = text.trim().split(/\s+/).length;
  return words < LEAST_WORDS || (text.match(COMMON)?.length ?? 0) * WORDS_FOR_ONE >= words;
}
