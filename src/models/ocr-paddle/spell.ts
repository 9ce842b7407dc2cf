/** The text of a line, and the mean confidence of its letters. */
export interface Spelled {
  readonly text: string;
  readonly score: number;
}

/**
 * Letters from the probabilities of each column: the likeliest class of each, repeats in adjacent columns merged,
 * blanks removed (CTC, Graves et al., ICML 2006, best path). `letters` begin after the blank; the last class is a
 * space.
 */
export function spell(odds: Float32Array, columns: number, letters: readonly string[]): Spelled {
  const classes = odds.length / columns;
  let [text, sum, count, before] = ["", 0, 0, 0];
  for (let column = 0; column < columns; column++) {
    let best = 0;
    for (let k = 1; k < classes; k++)
      if (odds[column * classes + k]! > odds[column * classes + best]!) best = k;
    if (best !== before && best !== 0) {
      text += best - 1 < letters.length ? letters[best - 1]! : " ";
      sum += odds[column * classes + best]!;
      count++;
    }
    before = best;
  }
  return { text: text.trim(), score: count === 0 ? 0 : sum / count };
}
