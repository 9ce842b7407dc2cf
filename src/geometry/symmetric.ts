/**
 * Solves the symmetric system [[a b c] [b d e] [c e f]] · x = (u, v, w) by Cramer's rule. The determinant must not be
 * zero: least squares that are held by a prior see to that.
 */
export function solveSymmetric3(
  [a, b, c, d, e, f]: readonly [number, number, number, number, number, number],
  [u, v, w]: readonly [number, number, number],
): [number, number, number] {
  const determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  return [
    (u * (d * f - e * e) - b * (v * f - e * w) + c * (v * e - d * w)) / determinant,
    (a * (v * f - e * w) - u * (b * f - c * e) + c * (b * w - c * v)) / determinant,
    (a * (d * w - e * v) - b * (b * w - c * v) + u * (b * e - c * d)) / determinant,
  ];
}
