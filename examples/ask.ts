/** Questions in plain words, with evidence, follow-ups and times. Run: npx node examples/ask.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localFace, openMemory, type RecordInput } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const memory = await openMemory(folder);
const face = localFace(memory);
const hour = (h: number) => Date.UTC(2026, 2, 2, h) * 1000;

/** A stay of a thing in one place, as perception writes it. */
const stay = (thing: string, n: number, x: number, from: number, to: number | null): RecordInput => ({
  kind: "state",
  id: `${thing}-${n}`,
  trackId: thing,
  name: `red ${thing}`,
  category: thing,
  text: [`a red ${thing}`],
  anchor: { submap: "world", p: { x, y: 1, z: 0.8 } },
  extent: { x: 0.1, y: 0.1, z: 0.1 },
  validFromUs: hour(from),
  validToUs: to === null ? null : hour(to),
});
const room = (name: string, x: number): RecordInput => ({
  kind: "region",
  id: name,
  type: "room",
  level: 1,
  name,
  anchor: { submap: "world", p: { x: x + 2, y: 2, z: 0 } },
  hull: [
    { x, y: 0, z: 0 },
    { x: x + 4, y: 0, z: 0 },
    { x: x + 4, y: 4, z: 0 },
    { x, y: 4, z: 0 },
  ],
  validFromUs: hour(8),
  validToUs: null,
});

// At eight the mug was in the kitchen; since nine it is in the office.
await face.write({
  records: [
    room("kitchen", 0),
    room("office", 4),
    {
      kind: "track",
      id: "mug",
      name: "red mug",
      category: "mug",
      text: ["a red mug"],
      validFromUs: hour(8),
      validToUs: null,
    },
    stay("mug", 1, 1, 8, 9),
    stay("mug", 2, 5, 9, null),
  ],
  sightings: [
    { stateId: "mug-1", timeUs: hour(8), outcome: "seen" },
    { stateId: "mug-2", timeUs: hour(9), outcome: "seen" },
  ],
});

const answer = await face.ask("Where is the red mug?");
console.log(answer.text);
console.log(
  "because of:",
  answer.evidence.map(({ ref }) => ref),
);

// What it would have said at half past eight, of the world as it was then.
const earlier = await face.ask("Where is the red mug?", {
  now: hour(8.5),
  asOfWorld: hour(8.5),
});
console.log("at 08:30:", earlier.text);

// A conversation: "it" is what was asked about before.
const talk = face.conversation();
await talk.ask("Where is the red mug?");
console.log("when:", (await talk.ask("When was it last seen?")).text);

// What it does not know, it says.
const unknown = await face.ask("Where is the unicorn?");
console.log(unknown.status, unknown.text);

await face.close();
await memory.close();
rmSync(folder, { recursive: true });
