/**
 * Costs of spelling errors: a hand-made noisy channel, about 1 for an unrelated letter. Similar sounds, vowels, doubled
 * letters and swapped neighbours are the usual errors.
 */
const [DOUBLED, VOWEL, SOUND, SWAPPED, BESIDE, LETTER, FOREIGN, FIRST] = [
  0.3, 0.6, 0.6, 0.6, 0.8, 0.9, 1.1, 0.6,
];
/** Words with the same sound and another spelling. */
const SAME_SOUND = 0.4;

const VOWELS = "aeiouy";
const ALIKE = ["ck", "cs", "sz", "fv", "dt", "gj", "kq", "kx", "mn", "uw"];
const KEYS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** Adjacent letters on a keyboard. */
const NEIGHBOURS = new Set(
  KEYS.flatMap((row, r) =>
    [...row].flatMap((key, n) =>
      [row[n + 1], KEYS[r + 1]?.[n], KEYS[r + 1]?.[n - 1]].map((other) => [key, other]),
    ),
  ).flatMap(([a, b]) => (b ? [a + b, b + a!] : [])),
);

function mistaken(a: string, b: string): number {
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return VOWEL;
  if (ALIKE.includes(a + b) || ALIKE.includes(b + a)) return SOUND;
  return NEIGHBOURS.has(a + b) ? BESIDE : FOREIGN;
}

/** An extra or missing letter, given the letter before it. */
function odd(letter: string, before: string | undefined): number {
  const isVowel = VOWELS.includes(letter);
  if (letter === before || (isVowel && before && VOWELS.includes(before))) return DOUBLED;
  return isVowel || letter === "h" ? VOWEL : LETTER;
}

function lettersBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = [0];
  for (let j = 1; j <= b.length; j++) row.push(row[j - 1]! + odd(b[j - 1]!, b[j - 2]));
  for (let i = 1; i <= a.length; i++) {
    const next = [row[0]! + odd(a[i - 1]!, a[i - 2])];
    let least = next[0]!;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        row[j]! + odd(a[i - 1]!, a[i - 2]),
        next[j - 1]! + odd(b[j - 1]!, b[j - 2]),
        row[j - 1]! + mistaken(a[i - 1]!, b[j - 1]!),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + SWAPPED);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return Number.POSITIVE_INFINITY;
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

const SPELT: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn)/, "n"],
  [/^wr/, "r"],
  [/wh/g, "w"],
  [/ph/g, "f"],
  [/igh/g, "i"],
  [/ck|q|c(?![eiyh])/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/ee|ea|ie|ey|y$|i$/g, "i"],
  [/oo|ou|ow|ew/g, "u"],
  [/(?:er|or|ar|re|a|our)$/, "a"],
  [/(.)\1/g, "$1"],
  [/e$/, ""],
];

/** The approximate sound of a word: "kees" and "keys" are equal. */
export function soundOf(word: string): string {
  return SPELT.reduce((sound, [spelt, as]) => sound.replace(spelt, as), word);
}

/** The cost of having written `word` for `meant`; infinity beyond `most`. */
export function slipsBetween(
  word: string,
  meant: string,
  most: number,
  sounds = [soundOf(word), soundOf(meant)] as const,
): number {
  const first = word[0] === meant[0] || sounds[0][0] === sounds[1][0] ? 0 : FIRST;
  const spelt = lettersBetween(word, meant, most);
  const heard = SAME_SOUND + lettersBetween(sounds[0], sounds[1], most);
  const slips = first + Math.min(spelt, heard);
  return slips > most ? Number.POSITIVE_INFINITY : slips;
}
