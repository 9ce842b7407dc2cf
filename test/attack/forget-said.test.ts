import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFace, type MemoryFace } from "../../src/compose.ts";
import { type Memory, openMemory } from "../../src/index.ts";

let folder: string;
let memory: Memory;
let face: MemoryFace;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-said-"));
  memory = await openMemory(folder, { embedder: "hashing:16" });
  face = localFace(memory);
  await memory.write({ records: [...thing("t-1", "bookcase", 1), ...thing("t-2", "red chair", 4)] });
});
afterEach(async () => {
  await face.close();
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const since = { validFromUs: 1, validToUs: null };
const thing = (id: string, name: string, x: number) => [
  { kind: "track" as const, id, name, category: name, text: [name], ...since },
  {
    ...{ kind: "state" as const, id: `s-${id}`, trackId: id, name, category: name, text: [name] },
    ...{ anchor: { submap: "world", p: { x, y: 2, z: 0.5 } }, ...since },
  },
];
const told = async (text: string, labels: string[] = []) => (await memory.remember(text, { labels })).id;
const noteOf = async (id: string) => (await (await memory.reader()).get([id]))[0]?.text;

it("what people said of a thing by the name they gave it goes with it, and is told before and after", async () => {
  await face.name({ target: "t-1", name: "Zebraquux" });
  const whole = await told("Zebraquux belongs to Anna.");
  const part = await told("The kettle is new. Zebraquux's lamp flickers.");
  const other = await told("Anna likes bookcases.");
  const said = await face.saidByName(["t-1"]);
  expect(said.map(({ lines }) => lines.length)).toEqual([1, 1]);
  expect(said.map(({ id }) => id).toSorted()).toEqual([whole, part].toSorted());
  const report = await face.forget({ ids: ["t-1"], reason: "asked to" });
  expect(report).toMatchObject({ said: 2, wiped: true });
  expect(await noteOf(whole)).toBeUndefined();
  expect(await noteOf(part)).toEqual(["The kettle is new."]);
  expect(await noteOf(other)).toEqual(["Anna likes bookcases."]);
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file), "latin1");
    expect(bytes, file).not.toMatch(/zebraquux/i);
  }
  expect(await memory.verify()).toMatchObject({ problems: [] });
});

it("a name that something else has, or that is a kind of thing, leaves sentences alone", async () => {
  await memory.write({ records: thing("t-3", "lamp", 7) });
  await face.name({ target: "t-1", name: "Otto" });
  await face.name({ target: "t-3", name: "Otto" });
  await face.name({ target: "t-2", name: "bookcase" });
  const [about, kind] = [await told("Otto is old."), await told("The bookcase is full.")];
  expect(await face.saidByName(["t-1"])).toEqual([]);
  expect(await face.saidByName(["t-2"])).toEqual([]);
  expect(await face.forget({ ids: ["t-1"], reason: "asked to" })).toMatchObject({ said: 0 });
  expect(await noteOf(about)).toEqual(["Otto is old."]);
  expect(await noteOf(kind)).toEqual(["The bookcase is full."]);
});

it("a forgetter is not told of sentences that he may not see, and they go all the same", async () => {
  await face.name({ target: "t-1", name: "Zebraquux" });
  const hidden = await told("Zebraquux is behind the picture.", ["family"]);
  const guest = localFace(memory, { id: "guest", labels: [] });
  expect(await guest.saidByName(["t-1"])).toEqual([]);
  expect(await guest.forget({ ids: ["t-1"], reason: "asked to" })).toMatchObject({ said: 0 });
  expect(await noteOf(hidden)).toBeUndefined();
  await guest.close();
});
