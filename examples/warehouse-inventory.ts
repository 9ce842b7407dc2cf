/** A robot drives along an aisle and reads labels; its memory is the inventory. Run: npx node examples/warehouse-inventory.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestRecording, localFace, openMemory, simulate } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const recording = join(folder, "shift");
await simulate({
  family: "warehouse",
  seed: 3,
  rooms: 4,
  minutes: 0.6,
  fps: 1,
  lidar: false,
  out: recording,
});
const memory = await openMemory(join(folder, "memory"));
await ingestRecording(memory, recording);

// What is written on a thing is part of its name: box that says “KX-482”, shelf that says “A-03-2”.
const things = (await memory.states().find(2000)).flatMap(({ record, position }) => {
  const label = /“(.+?)”/.exec(record.name ?? "")?.[1];
  return label === undefined || position === undefined
    ? []
    : [{ category: record.category, label, position }];
});
const shelves = things.filter(({ category }) => category === "shelf");
const boxes = things.filter(({ category }) => category === "box");

// A box is in the slot whose board is right under it.
const inventory = boxes.flatMap((box) => {
  const slot = shelves.find(({ position: { x, y, z } }) => {
    const above = box.position.z - z;
    return Math.hypot(box.position.x - x, box.position.y - y) < 0.6 && above > 0 && above < 0.5;
  });
  return slot === undefined ? [] : [{ slot: slot.label, label: box.label, position: box.position }];
});
inventory.sort((a, b) => (a.slot < b.slot ? -1 : 1));
for (const { slot, label } of inventory) console.log(slot, label);
const taken = new Set(inventory.map(({ slot }) => slot));
console.log("read:", boxes.length, "boxes,", shelves.length, "slots; empty:", shelves.length - taken.size);

// The same memory answers in words, with the place to drive to.
const [first] = inventory;
const answer = await localFace(memory).ask(`Where is the box that says “${first?.label}”?`);
console.log(`Where is ${first?.label}?`, answer.text);

await memory.close();
rmSync(folder, { recursive: true });
