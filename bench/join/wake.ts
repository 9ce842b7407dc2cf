/**
 * `node bench/join/wake.ts --cache DIR --seeds 42001-42020`: a robot wakes up with a map of its own. A place that was named in the
 * first map is asked for in the robot's frame, before its map was joined and after: right or refused, never wrong.
 */
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { joinScene, localFace, type Memory, openMemory } from "../../src/compose.ts";
import { apply, type Transform, type Vec3 } from "../../src/geometry/index.ts";
import { isLociError } from "../../src/schema/index.ts";
import { TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { HOUSE_OPTIONS, openHouse, seedsNamed, settingsOf } from "./houses.ts";

const { values } = parseArgs({ options: HOUSE_OPTIONS });
const settings = settingsOf(values);
const FRAME = "robot-2.map";
const PLACE = "charging dock";
/** A goal is right within this of where it should be. */
const RIGHT_M = 0.5;

const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
for (const seed of seedsNamed(values.seeds!)) {
  const house = await openHouse(seed, settings, false);
  if (!house) continue;
  const place = join(house.folder, "woken");
  await rm(place, { recursive: true, force: true });
  await cp(join(house.folder, "memory"), place, { recursive: true });
  const memory = await openMemory(place);
  try {
    const dock = await named(memory);
    const before = await goalIn(memory, FRAME);
    const [joined] = await joinScene(memory);
    const [after, own] = [await goalIn(memory, FRAME), await goalIn(memory, "world")];
    const document = JSON.parse(await readFile(join(house.folder, "recording", TRUTH_FILE), "utf8")) as {
      agents: { mapFromWorld: Transform }[];
    };
    const wanted = own && apply(document.agents[1]!.mapFromWorld, own);
    const offM = after && wanted ? Math.hypot(after.x - wanted.x, after.y - wanted.y) : undefined;
    const told = offM === undefined ? "refused" : offM <= RIGHT_M ? "right" : "WRONG";
    count(`before: ${before ? "WRONG" : "refused"}`);
    count(`after${joined?.refused ? ", not joined" : ""}: ${told}`);
    const fromDock = own ? Math.hypot(own.x - dock.x, own.y - dock.y).toFixed(2) : "–";
    console.log(
      `${seed} before: ${before ? "WRONG" : "refused"}; ${joined?.refused ?? "joined"}; after: ${told}${offM === undefined ? "" : `, ${offM.toFixed(2)} m off`}; ${fromDock} m from the place`,
    );
  } finally {
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}
console.log([...counts].map(([what, n]) => `${what} ${n}`).join("; "));

/** Gives the place of some furniture of the first map a name. */
async function named(memory: Memory): Promise<Vec3> {
  const reader = await memory.reader();
  const { hits } = await reader.search({ kinds: ["state"], rank: "id", limit: 200 });
  const at = hits.find(({ position, record }) => position !== undefined && record.validToUs === null)!
    .position!;
  const spot = { name: PLACE, at: { ...at, z: 0 }, radiusM: 0.5, labels: [], sceneId: "default" };
  await memory.corrections.nameSpot(spot, { author: "anna", seen: reader });
  return at;
}

async function goalIn(memory: Memory, frame: string): Promise<Vec3 | undefined> {
  try {
    const { goal } = await localFace(memory, { id: "owner", labels: "*" }).goal({ to: PLACE, frame });
    return goal?.position;
  } catch (error) {
    if (isLociError(error, "unknown-id")) return undefined;
    throw error;
  }
}
