/** A rectangle of the floor plan. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Lengths are whole millimetres: sums stay the same in any order that matters. */
export function mm(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function grow({ x0, y0, x1, y1 }: Rect, byM: number): Rect {
  return { x0: x0 - byM, y0: y0 - byM, x1: x1 + byM, y1: y1 + byM };
}

/** Open: rectangles that only touch do not overlap. */
export function overlap(a: Rect, b: Rect): boolean {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

export function within(inner: Rect, outer: Rect): boolean {
  return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;
}

export function rectAround(x: number, y: number, halfX: number, halfY: number): Rect {
  return { x0: x - halfX, y0: y - halfY, x1: x + halfX, y1: y + halfY };
}

export function areaOf({ x0, y0, x1, y1 }: Rect): number {
  return (x1 - x0) * (y1 - y0);
}
