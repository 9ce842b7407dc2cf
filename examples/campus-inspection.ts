/** A robot drives over a campus; its memory plans the tour that inspects every lamp. Run: npx node examples/campus-inspection.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestRecording, localFace, openMemory, simulate, type Vec3 } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const recording = join(folder, "drive");
await simulate({ family: "campus", seed: 2, minutes: 3, fps: 0.6, lidar: false, out: recording });
const memory = await openMemory(join(folder, "memory"));
await ingestRecording(memory, recording);

// Everything to inspect, wherever it was passed.
const places = async (category: string): Promise<Vec3[]> =>
  (await memory.states().find(2000)).flatMap(({ record, position }) =>
    record.category === category && position ? [position] : [],
  );
const lamps = await places("street lamp");
console.log("lamps:", lamps.length, "benches:", (await places("bench")).length);

// The tour: always the nearest lamp that is left.
const left = [...lamps];
const tour: Vec3[] = [];
let here: Vec3 = { x: 0, y: 0, z: 0 };
let metres = 0;
while (left.length > 0) {
  const away = (p: Vec3) => Math.hypot(p.x - here.x, p.y - here.y);
  left.sort((a, b) => away(a) - away(b));
  metres += away(left[0]!);
  here = left.shift()!;
  tour.push(here);
}
console.log("tour of", tour.length, "stops,", Math.round(metres), "m");

// Signs name places: the memory says where they stand and when they were passed.
const face = localFace(memory);
const [sign] = (await memory.states().find(2000)).flatMap(({ record }) =>
  record.category === "sign" ? (/“(.+?)”/.exec(record.name ?? "")?.[1] ?? []) : [],
);
const when = await face.ask(`When did you last see the sign that says “${sign}”?`);
console.log(`When was ${sign} passed?`, when.text);

await memory.close();
rmSync(folder, { recursive: true });
