/**
 * `node bench/routes.ts MEMORY…`: ways between the rooms and things of a memory against the shortest path on its free
 * floor: which rooms they pass that the shortest path does not, and how many are longer by a tenth.
 */
import { parseArgs } from "node:util";
import { localFace, openMemory } from "../src/compose.ts";
import { lerp, type Vec3 } from "../src/geometry/index.ts";
import { SceneMap } from "../src/map/index.ts";

/** Things of each memory that are taken as ends beside all rooms. */
const THINGS = 12;
const SAMPLES = 20;
const LONGER = 1.1;

const { positionals } = parseArgs({ allowPositionals: true });
const total = { ways: 0, mapped: 0, needless: 0, longer: 0 };
for (const folder of positionals) {
  const memory = await openMemory(folder);
  try {
    const face = localFace(memory, { id: "owner", labels: "*" });
    const map = await SceneMap.open(await memory.reader());
    const roomAt = (point: Vec3) => map.roomAt(point)?.id;
    const { rows } = await face.list({ what: "things" });
    const every = Math.max(1, Math.floor(rows.length / THINGS));
    const things = rows.filter((_, n) => n % every === 0).map(({ id }) => String(id));
    const ends = [...map.rooms().map(({ id }) => id), ...things];
    for (const from of ends)
      for (const to of ends) {
        const way = from === to ? undefined : await face.route({ from, to }).catch(() => undefined);
        if (way === undefined) continue;
        const [start, goal] = [way.from.position, way.to.position];
        const shortest = map.path(start, map.nearestReachable(goal, start) ?? goal);
        total.ways++;
        if (!shortest) continue;
        total.mapped++;
        const passed = new Set(
          shortest.points.flatMap((point, n) =>
            Array.from({ length: SAMPLES }, (_, k) =>
              roomAt(lerp(point, shortest.points[n + 1] ?? point, k / SAMPLES)),
            ),
          ),
        );
        const extra = way.rooms.slice(1, -1).filter(({ id }) => !passed.has(id));
        if (extra.length > 0) total.needless++;
        if (way.lengthM > LONGER * shortest.lengthM) total.longer++;
        if (extra.length > 0 || way.lengthM > LONGER * shortest.lengthM)
          console.log(
            `${folder}: ${way.from.name} to ${way.to.name}, ${way.by}, ${way.lengthM.toFixed(1)} m (shortest ${shortest.lengthM.toFixed(1)} m) by ${way.rooms.map(({ name }) => name).join(", ")}; needless: ${extra.map(({ name }) => name).join(", ") || "none"}`,
          );
      }
  } finally {
    await memory.close();
  }
}
console.log(
  `${total.ways} ways, ${total.mapped} over a mapped floor; ${total.needless} pass a room that the shortest path does not; ${total.longer} are longer by a tenth or more`,
);
