/**
 * Joins the pixels of one label (all of them, in raster order) into patches connected by sides or corners. Afterwards
 * `patch` leads from each pixel towards its patch's representative.
 */
export function markPatches(
  pixels: Int32Array,
  labels: Uint16Array,
  width: number,
  { left, top, right }: { readonly left: number; readonly top: number; readonly right: number },
  patch: Int32Array,
): void {
  const label = labels[pixels[0]!];
  let [row, start] = [-1, -width];
  for (let n = 0; n < pixels.length; n++) {
    const at = pixels[n]!;
    if (at >= start + width) {
      row = Math.floor(at / width);
      start = row * width;
    }
    const column = at - start;
    const above = at - width;
    const hasLeft = column > left && labels[at - 1] === label;
    patch[at] = hasLeft ? patch[at - 1]! : at;
    if (row === top) continue;
    // Neighbours in one row are already one patch, so of the three above the middle one is enough.
    if (labels[above] === label) {
      if (!hasLeft) patch[at] = patch[above]!;
      continue;
    }
    if (!hasLeft && column > left && labels[above - 1] === label) patch[at] = patch[above - 1]!;
    if (column + 1 < right && labels[above + 1] === label) joinPatches(patch, at, above + 1);
  }
}

function joinPatches(patch: Int32Array, one: number, other: number): void {
  const a = patchOf(patch, one);
  const b = patchOf(patch, other);
  if (a < b) patch[b] = a;
  else patch[a] = b;
}

/** The first pixel of a patch, its representative; the path is compressed. */
export function patchOf(patch: Int32Array, at: number): number {
  let root = at;
  while (patch[root] !== root) root = patch[root]!;
  patch[at] = root;
  return root;
}
