/** Things move, maps are corrected, and old beliefs stay readable. Run: npx node examples/moved-object.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const memory = await openMemory(folder);
const identity = { w: 1, x: 0, y: 0, z: 0 };
const minute = (m: number) => Date.UTC(2026, 2, 2, 8, m) * 1000;

// A robot's submap, and a mug anchored in it.
await memory.write({
  frames: [
    { parent: "world", child: "map-1", transform: { p: { x: 0, y: 0, z: 0 }, q: identity }, revision: 1 },
  ],
  records: [
    { kind: "track", id: "mug", name: "mug", category: "mug", validFromUs: minute(5), validToUs: null },
    {
      kind: "state",
      id: "mug-1",
      trackId: "mug",
      name: "mug",
      category: "mug",
      text: ["red mug on the kitchen table"],
      anchor: { submap: "map-1", p: { x: 2, y: 1, z: 0.8 } },
      validFromUs: minute(5),
      validToUs: null,
    },
  ],
  sightings: [{ stateId: "mug-1", timeUs: minute(5), outcome: "seen" }],
});

// Later a robot looks and it is gone: the stay ends. Nothing is overwritten.
const reader = await memory.reader();
const [state] = await reader.get(["mug-1"]);
if (state?.kind !== "state") throw new Error("the mug was just written");
const { version: _, recordedAtUs: believedSince, supersededAtUs: __, ...known } = state;
await memory.write({
  records: [{ ...known, validToUs: minute(30) }],
  sightings: [{ stateId: "mug-1", timeUs: minute(30), outcome: "absent" }],
});
const [presence] = await reader.presence(["mug-1"]);
console.log("last seen", new Date(presence!.lastSeenUs! / 1000).toISOString());
console.log("looked for in vain", new Date(presence!.firstAbsentAfterUs! / 1000).toISOString());
console.log("there now:", await memory.tracks().words("mug").during(minute(31), null).count());
console.log(
  "there at 08:10:",
  await memory
    .as({ asOfWorldUs: minute(10) })
    .tracks()
    .words("mug")
    .count(),
);
console.log(
  "believed to be there still, before the robot looked:",
  await memory.as({ asOfMemoryUs: believedSince }).tracks().during(minute(31), null).count(),
);

// A loop closure moves the whole submap by half a metre; no record is rewritten, and the old map stays readable.
await memory.write({
  frames: [
    {
      parent: "world",
      child: "map-1",
      transform: { p: { x: 0.5, y: 0, z: 0 }, q: identity },
      kind: "loop",
      revision: 2,
    },
  ],
});
const [now] = await memory.states().find(1);
const [then] = await memory.as({ mapRevision: 1 }).states().find(1);
console.log("x by the corrected map", now?.position?.x, "and by the old one", then?.position?.x);

await memory.close();
rmSync(folder, { recursive: true });
