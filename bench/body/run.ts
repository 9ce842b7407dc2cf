/**
 * `node bench/body/run.ts --seeds 801-810 [--rooms 4]`: the explorer sent to the farthest things of simulated houses, with the
 * simulator's body in this process and with the Python reference body over WebSocket in the same house as boxes. What
 * differs: shapes (cylinders become boxes), the camera (tilted 160 × 120 or level 160 × 240, of one focal length), and
 * whose driving it is. Neither has noise.
 */
import { parseArgs } from "node:util";
import { openRemoteBody } from "../../src/exploration/bodies/remote-body.ts";
import { boxWorldOf } from "../../src/world/box-world.ts";
import { LiveHouse } from "../../src/world/live-house.ts";
import { type Found, goFind, targetsOf } from "./find-things.ts";
import { servePythonBody } from "./python-body.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "801-810" },
    rooms: { type: "string", default: "4" },
    each: { type: "string", default: "1" },
  },
});
const [first, last = first] = values.seeds.split("-").map(Number) as [number, number?];
const all = { here: [] as Found[], python: [] as Found[] };
for (let seed = first; seed <= last; seed++) {
  const house = new LiveHouse({ seed, rooms: Number(values.rooms), floors: 1, noise: 0 });
  for (const target of targetsOf(house).slice(0, Number(values.each))) {
    const here = await goFind(house.body("robot-1"), target);
    const served = await servePythonBody(boxWorldOf(house));
    const body = await openRemoteBody({ url: served.url });
    const python = await goFind(body, target).finally(async () => {
      await body.close();
      await served.close();
    });
    all.here.push(here);
    all.python.push(python);
    const told = ({ isRight, isFound, spl, steps, pathM, end }: Found) =>
      `${isRight ? "right" : `not right (${end})`}${isFound ? ", near" : ""}, SPL ${spl.toFixed(2)}, ${steps} steps, ${pathM.toFixed(1)} m`;
    console.log(`${seed} ${target.category}: in process ${told(here)}; Python ${told(python)}`);
  }
}
for (const [name, found] of Object.entries(all)) {
  const [right, near] = [found.filter(({ isRight }) => isRight), found.filter(({ isFound }) => isFound)];
  const spl = found.reduce((sum, one) => sum + one.spl, 0) / found.length;
  console.log(
    `${name}: ${right.length} of ${found.length} right, ${near.length} within 2 m of it in the end, SPL ${spl.toFixed(2)}`,
  );
}
