import { type Point2, polygonArea } from "../../geometry/index.ts";

/**
 * Corner indices, three per triangle, of a simple ring: ear clipping, O(n²), counter-clockwise whatever the ring's
 * direction. The uncuttable rest of a self-intersecting ring is left out.
 */
export function triangulate(ring: readonly Point2[]): number[] {
  const left = ring.map((_, i) => i);
  if (polygonArea({ points: ring }) < 0) left.reverse();
  const triangles: number[] = [];
  const isEar = (at: number): boolean => {
    const n = left.length;
    const [a, b, c] = [left[(at + n - 1) % n]!, left[at]!, left[(at + 1) % n]!];
    if (turn(ring[a]!, ring[b]!, ring[c]!) <= 0) return false;
    return left.every(
      (i) => i === a || i === b || i === c || !isInside(ring[i]!, ring[a]!, ring[b]!, ring[c]!),
    );
  };
  while (left.length > 3) {
    const ear = left.findIndex((_, at) => isEar(at));
    if (ear < 0) {
      // Collinear corners are not ears and cover nothing.
      const flat = left.findIndex((b, at) => {
        const n = left.length;
        return turn(ring[left[(at + n - 1) % n]!]!, ring[b]!, ring[left[(at + 1) % n]!]!) === 0;
      });
      if (flat < 0) return triangles;
      left.splice(flat, 1);
      continue;
    }
    const n = left.length;
    triangles.push(left[(ear + n - 1) % n]!, left[ear]!, left[(ear + 1) % n]!);
    left.splice(ear, 1);
  }
  if (left.length === 3) triangles.push(...left);
  return triangles;
}

/** Positive where the path from a over b to c turns left. */
function turn(a: Point2, b: Point2, c: Point2): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function isInside(p: Point2, a: Point2, b: Point2, c: Point2): boolean {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}
