/** A robot drives by and tells what its own detector sees; things come of it. Run: npx node examples/record-a-robot.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localFace, openMemory } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const memory = await openMemory(folder);
// The same face that connect("http://robot:7077") has: this program runs beside the memory or far from it.
const face = localFace(memory);

// A camera 1 m above the floor that looks along +x: optical axes, so x is to the right, y down, z forward.
const alongX = { x: -0.5, y: 0.5, z: -0.5, w: 0.5 };
const start = Date.UTC(2026, 2, 2, 8) * 1000;

/** What the robot says of one moment. */
const lookAt = (second: number) => ({
  time: start + second * 1_000_000,
  agent: "rob1",
  pose: { p: { x: second * 0.2, y: 0, z: 1 }, q: alongX },
  detections: [
    {
      category: "mug",
      text: "a red mug",
      position: { x: 4, y: 0.3, z: 0.8 },
      extent: { x: 0.1, y: 0.1, z: 0.1 },
    },
    { category: "lamp", position: { x: 5, y: -1, z: 1.2 }, extent: { x: 0.3, y: 0.3, z: 0.5 } },
  ],
});

// Who is who from look to look is the memory's work (track), for which it needs to know from where somebody looked.
for (let second = 0; second < 5; second++)
  await face.ingestDetections({ track: true, looks: [lookAt(second)] });
// A robot that did not hear the answer sends the same look again: nothing is doubled.
await face.ingestDetections({ track: true, looks: [lookAt(4)] });

const { rows } = await face.list({ what: "things" });
for (const { name, at } of rows) console.log(name, "at", at);
const mug = await face.life("the mug");
console.log(`${mug.name}: seen ${mug.seen} times by ${mug.seenBy[0]?.agent}, there now: ${mug.isThere}`);
console.log("looks that were kept:", (await face.stats()).records.observation);

await face.close();
await memory.close();
rmSync(folder, { recursive: true });
