import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../src/geometry/index.ts";
import { EmbeddedEngine, type MemoryReader, type MemoryWriter } from "../src/memory/index.ts";
import { openHashing } from "../src/models/hashing/hashing.ts";
import type { RecordInput } from "../src/schema/index.ts";

const THINGS = 50;
const LOOKS = 60;
const S = 1_000_000;
const COLOURS = "red blue green white black grey brown yellow".split(" ");
const NAMES =
  "mug plate bowl lamp chair table sofa bed desk shelf book box bottle laptop clock mirror rug plant vase bin fridge kettle sink".split(
    " ",
  );
const ROOM_NAMES = "kitchen bedroom bathroom office hallway workshop lounge library garage".split(" ");

/** A room of a large building: what stands in it, and where the agent looked from. */
function roomRecords(room: number, robots: number, random: Random): RecordInput[] {
  const pick = <T>(list: readonly T[]): T => list[random.int(0, list.length)]!;
  const [x0, y0] = [(room % 25) * 6, Math.floor(room / 25) * 6];
  const id = `r${room}`;
  const corners = [
    { x: x0, y: y0, z: 0 },
    { x: x0 + 5, y: y0, z: 0 },
    { x: x0 + 5, y: y0 + 5, z: 0 },
    { x: x0, y: y0 + 5, z: 0 },
  ];
  const name = `${ROOM_NAMES[room % ROOM_NAMES.length]} ${room}`;
  const span = { validFromUs: room * LOOKS * S, validToUs: null };
  const records: RecordInput[] = [
    {
      kind: "region",
      id,
      type: "room",
      level: 2,
      name,
      hull: corners,
      text: [name],
      anchor: { submap: "world", p: { x: x0 + 2.5, y: y0 + 2.5, z: 0 } },
      ...span,
    },
  ];
  for (let n = 0; n < THINGS; n++) {
    const [category, colour] = [pick(NAMES), pick(COLOURS)];
    const text = [`${colour} ${category}`];
    const side = random.range(0.1, 0.8);
    records.push({ kind: "track", id: `t${room}-${n}`, name: text[0]!, category, text, ...span });
    records.push({
      kind: "state",
      id: `s${room}-${n}`,
      trackId: `t${room}-${n}`,
      name: text[0]!,
      category,
      text,
      regionId: id,
      anchor: {
        submap: "world",
        p: { x: x0 + random.range(0, 5), y: y0 + random.range(0, 5), z: random.range(0, 1.5) },
      },
      extent: { x: side, y: side, z: side },
      attributes: { colour: { value: colour, p: 0.9, support: 5, lastUs: span.validFromUs } },
      ...span,
    });
  }
  for (let n = 0; n < LOOKS; n++)
    records.push({
      kind: "observation",
      id: `o${room}-${n}`,
      sensorId: "camera",
      author: robotOf(n, robots),
      anchor: {
        submap: "world",
        p: { x: x0 + 2.5, y: y0 + 2.5, z: 1.5 },
        q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 },
      },
      validFromUs: (room * LOOKS + n) * S,
      validToUs: (room * LOOKS + n) * S + 1,
    });
  return records;
}

/** The robots look in turn. */
function robotOf(look: number, robots: number): string {
  return `robot-${1 + (look % robots)}`;
}

/** A building in a memory of its own: rooms, what stands in them, and looks at it. */
export interface Building {
  readonly reader: MemoryReader;
  readonly writer: MemoryWriter;
  readonly embedder: ReturnType<typeof openHashing>;
  readonly records: number;
  /** When the last look was. */
  readonly nowUs: number;
  close(): Promise<void>;
}

/** Makes a building of so many rooms, seen by so many robots; the same for the same seed. */
export async function openBuilding(rooms: number, { seed = "ask", robots = 1 } = {}): Promise<Building> {
  const folder = mkdtempSync(join(tmpdir(), "loci-building-"));
  const engine = await EmbeddedEngine.open({ folder, nowUs: () => Date.now() * 1000, create: true });
  const embedder = openHashing(64);
  const writer = await engine.writer();
  await writer.setEmbedder("text", embedder.info);
  const random = new Random(seed);
  let written = 0;
  for (let room = 0; room < rooms; room++) {
    const records = roomRecords(room, robots, random);
    const lines = [...new Set(records.flatMap(({ text }) => text ?? []))];
    const known = await writer.knownTexts(lines);
    const unknown = lines.filter((_, n) => !known[n]);
    const made = await embedder.embed(unknown);
    const sightings = records.flatMap((record) =>
      record.kind === "state"
        ? [0, 1, 2].map((n) => ({
            stateId: record.id,
            timeUs: record.validFromUs + n * S,
            outcome: "seen" as const,
            agentId: robotOf(n, robots),
            observationId: `o${room}-${n}`,
          }))
        : [],
    );
    const vectors = unknown.map((text, n) => ({ text, vector: made[n]! }));
    written += (await writer.write({ records, vectors, sightings })).written;
  }
  return {
    reader: await engine.reader(),
    writer,
    embedder,
    records: written,
    nowUs: rooms * LOOKS * S,
    close: async () => {
      await writer.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
