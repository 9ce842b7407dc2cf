import { ROOMS } from "./settings.ts";

/** Removes overhead things that are not walls from a plan of walls. */
export function clearSpecks(wall: Uint8Array, width: number, height: number, cellM: number): void {
  const gap = Math.round(ROOMS.wallM / 2 / cellM);
  const reach = Math.round((2 * ROOMS.wallM) / cellM);
  const seen = new Uint8Array(wall.length);
  for (let start = 0; start < wall.length; start++) {
    if (!wall[start] || seen[start]) continue;
    const piece = [start];
    seen[start] = 1;
    let [minX, maxX, minY, maxY] = [width, 0, height, 0];
    for (let i = 0; i < piece.length; i++) {
      const at = piece[i]!;
      const x = at % width;
      const y = (at - x) / width;
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      minY = Math.min(minY, y);
      maxY = Math.max(maxY, y);
      for (let v = Math.max(0, y - gap); v <= Math.min(height - 1, y + gap); v++) {
        for (let u = Math.max(0, x - gap); u <= Math.min(width - 1, x + gap); u++) {
          const to = v * width + u;
          if (!wall[to] || seen[to]) continue;
          seen[to] = 1;
          piece.push(to);
        }
      }
    }
    if (Math.max(maxX - minX, maxY - minY) + 1 < reach) for (const at of piece) wall[at] = 0;
  }
}
