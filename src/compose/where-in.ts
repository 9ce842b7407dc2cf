/**
 * The region of a picture that "this" refers to, in words; the model may get a smaller picture than the one pointed
 * at.
 */
export function whereIn(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;
  if (left === right && top === bottom)
    return `“this” is what lies ${percent(left, width)} of the picture's width from its left and ${percent(top, height)} of its height from its top`;
  return (
    `“this” lies between ${percent(left, width)} and ${percent(right, width)} of the picture's width from its left, ` +
    `and between ${percent(top, height)} and ${percent(bottom, height)} of its height from its top`
  );
}
