/** Writes batch after batch and says on stdout which are acknowledged, until it is killed. */
import { EmbeddedEngine } from "../src/memory/index.ts";

const [folder, firstBatch] = process.argv.slice(2);
const engine = await EmbeddedEngine.open({ folder: folder! });
const writer = await engine.writer();
await writer.setEmbedder("text", { id: "test", dim: 4 });
process.stdout.write("ready\n");
for (let batch = Number(firstBatch); ; batch++) {
  const name = `b${batch}`;
  const records = Array.from({ length: 10 }, (_, i) => ({
    kind: "state" as const,
    id: `${name}-s${i}`,
    trackId: `${name}-t`,
    name: "mug",
    category: "mug",
    text: [`mug ${batch} ${i}`],
    validFromUs: batch,
    validToUs: null,
    anchor: { submap: "world", p: { x: batch, y: i, z: 0 } },
  }));
  const track = {
    kind: "track" as const,
    id: `${name}-t`,
    name: "mug",
    category: "mug",
    validFromUs: batch,
    validToUs: null,
  };
  // Every second batch also makes a new version of one record, so that supersession is interrupted too.
  const counter = {
    kind: "track" as const,
    id: "counter",
    name: "counter",
    category: `count-${batch}`,
    validFromUs: 0,
    validToUs: null,
  };
  await writer.write({
    records: [track, counter, ...records],
    vectors: records.map(({ text }, i) => ({ text: text[0]!, vector: new Float32Array([1, i, batch, 1]) })),
    sightings: records.map(({ id }) => ({ stateId: id, timeUs: batch, outcome: "seen" as const })),
    blobs: [new TextEncoder().encode(`blob ${batch}`)],
  });
  process.stdout.write(`${batch}\n`);
}
