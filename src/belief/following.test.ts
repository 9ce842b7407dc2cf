import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../geometry/index.ts";
import { EmbeddedEngine, type MemoryReader, type MemoryWriter } from "../memory/index.ts";
import type { RecordInput, SightingInput } from "../schema/index.ts";
import { Belief } from "./belief.ts";
import { markedIn } from "./marked.ts";
import { nameEvidence } from "./name-evidence.ts";
import { picturesIn } from "./pictures.ts";

const S = 1_000_000;
const NOW_US = 1_000 * S;
const ROBOTS = ["a", "b"] as const;
const KINDS = ["mug", "carton that says “KX-482”", "sign that says “AISLE C”", "sofa"] as const;

const folder = mkdtempSync(join(tmpdir(), "loci-following-"));
let engine: EmbeddedEngine;
let reader: MemoryReader;
let writer: MemoryWriter;
beforeAll(async () => {
  engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  [reader, writer] = [await engine.reader(), await engine.writer()];
});
afterAll(async () => {
  await writer.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A thing that was seen, as it was last written. */
interface Known {
  readonly track: RecordInput & { kind: "track" };
  state: RecordInput & { kind: "state" };
}

function drawn<T>(list: readonly T[], random: Random): T {
  return list[random.int(0, list.length)]!;
}

function thing(n: number, random: Random): Known {
  const name = drawn(KINDS, random);
  const [category] = name.split(" ");
  const common = { name, category: category!, text: [name], validFromUs: n * S, validToUs: null };
  const anchor = { submap: "world", p: { x: random.range(0, 4), y: 0, z: 1 } };
  return {
    track: { kind: "track", id: `track-${n}`, ...common },
    state: {
      kind: "state",
      id: `state-${n}`,
      trackId: `track-${n}`,
      anchor,
      extent: { x: 0.2, y: 0.2, z: 0.2 },
      ...common,
    },
  };
}

/** One of the things that may happen to a memory: a thing, a picture, a merge, an end, or something said. */
function commit(n: number, known: Known[], random: Random) {
  const [one, other] = known.length > 0 ? [drawn(known, random), drawn(known, random)] : [];
  switch (one ? random.int(0, 6) : 0) {
    case 0:
      known.push(thing(n, random));
      return { records: [known.at(-1)!.track, known.at(-1)!.state] };
    case 1: {
      // The state of a track that was merged away belongs to the one that it went into.
      if (one === other) return {};
      one!.state = { ...one!.state, trackId: other!.state.trackId };
      return { records: [{ ...one!.track, mergedInto: other!.state.trackId }, one!.state] };
    }
    case 2:
      one!.state = { ...one!.state, validToUs: (n + 10) * S };
      return { records: [one!.state] };
    case 3:
      return { records: [caption(n)] };
    default: {
      const author = ROBOTS[n % 2]!;
      const observation: RecordInput = {
        kind: "observation",
        id: `look-${n}`,
        sensorId: "camera",
        author,
        validFromUs: n * S,
        validToUs: n * S + 1,
      };
      const sightings: SightingInput[] = known
        .filter(() => random.chance(0.5))
        .map(({ state: { id } }) => ({
          stateId: id!,
          timeUs: n * S,
          outcome: "seen",
          agentId: author,
          observationId: `look-${n}`,
        }));
      return { records: [observation], sightings };
    }
  }
}

function caption(n: number): RecordInput {
  const anchor = { submap: "world", p: { x: 1, y: 1, z: 1 } };
  return {
    kind: "caption",
    source: "vlm",
    id: `caption-${n}`,
    text: [`A kitchen, ${n}.`],
    anchor,
    validFromUs: n * S,
    validToUs: n * S + 1,
  };
}

/** What is derived from a memory as a whole. */
async function derived(from: MemoryReader) {
  const memory = new Belief({ reader: from, nowUs: NOW_US });
  const pictures = (await picturesIn(memory))!.live().map(({ trackId, stay, position, pictures }) => ({
    trackId,
    stay: stay.id,
    position,
    pictures: [...pictures].sort(),
  }));
  const { labelled, told } = await nameEvidence(memory);
  const marked = await (await markedIn(memory, undefined)).all(from);
  const byId = <T>(all: readonly T[], idOf: (one: T) => string) =>
    all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return {
    pictures: byId(pictures, ({ stay }) => stay),
    signs: labelled.map(({ state }) => state.id).sort(),
    told: told.flatMap(({ lines }) => lines),
    marked: byId(
      marked.map(({ record, presence, trackId }) => ({ id: record.id, presence, trackId })),
      ({ id }) => id,
    ),
  };
}

it("is the same when it follows each commit as when it is read anew", async () => {
  const random = new Random("following");
  const known: Known[] = [];
  const anew = new Proxy(reader, {
    get: (target, key) => {
      const value: unknown = key === "revision" ? undefined : Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  for (let n = 0; n < 120; n++) {
    await writer.write(commit(n, known, random));
    expect(await derived(reader), `after commit ${n}`).toEqual(await derived(anew));
  }
  const { pictures, signs, told, marked } = await derived(reader);
  for (const all of [pictures, signs, told, marked]) expect(all.length).toBeGreaterThan(0);
}, 60_000);
