import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Value } from "./value.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/** Two numbered slots, a crate in one of them, a crate with an unread label, and two books. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-labels-"));
  house = await smallHouse(folder);
  const writer = await house.engine.writer();
  const slot = { x: 0.8, y: 0.5, z: 0.1 };
  const crate = { x: 0.3, y: 0.3, z: 0.3 };
  await writer.write({
    records: [
      ...thing("shelf", "A-01", { x: 1, y: 1, z: 1 }, slot),
      ...thing("shelf", "A-02", { x: 3, y: 1, z: 1 }, slot),
      ...thing("crate", "KX-482", { x: 1, y: 1, z: 1.2 }, crate),
      ...thing("book", "DUNE", { x: 2, y: 2, z: 0.05 }, { x: 0.2, y: 0.2, z: 0.05 }),
      ...thing(
        "shelved book",
        "FAIRY TALES",
        { x: 1.6, y: 2, z: 0.1 },
        { x: 0.1, y: 0.2, z: 0.2 },
        "hardback",
      ),
      ...thing("crate", undefined, { x: 2, y: 3, z: 0.15 }, crate),
    ],
  });
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function thing(
  category: string,
  label: string | undefined,
  p: { x: number; y: number; z: number },
  extent: { x: number; y: number; z: number },
  noun = category,
): RecordInput[] {
  const id = `${noun}-${label ?? "unread"}`.replace(" ", "-");
  const name = label === undefined ? noun : `${noun} that says “${label}”`;
  const common = { name, category, validFromUs: NOW_US - 1_000_000, validToUs: null };
  return [
    { kind: "track", id: `track-${id}`, type: "object", ...common },
    {
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      text: [name],
      anchor: { submap: "world", p },
      extent,
      attributes: {},
      ...common,
    },
  ];
}

async function answerTo(expression: string): Promise<Value> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    nowUs: NOW_US,
    embedder: house.embedder,
  });
  return evaluate(scan(expression), { memory, broadened: 0, question: expression });
}

describe("things that are told apart by what is written on them", () => {
  test("what stands on a shelf is in it, and the shelf is named by its label", async () => {
    const value = await answerTo(
      'name(filter(things(category: "slot"), within(the(things(category: "crate", text: "KX-482")), it(), relation: "in")))',
    );
    expect(value).toMatchObject({ kind: "words", items: [{ words: "shelf that says “A-01”" }] });
  });

  test.each([
    ["A-01", false],
    ["A-02", true],
  ])("slot %s is empty: %s", async (label, truth) => {
    const value = await answerTo(
      `is(the(things(category: "slot", text: "${label}")), attribute: "fill", value: "empty")`,
    );
    expect(value).toMatchObject({ kind: "truth", truth });
  });

  test("a label that nobody has is not taken for one that could not be read", async () => {
    const value = await answerTo('place(the(things(category: "crate", text: "ZZ-999")))');
    expect(value).toMatchObject({ kind: "unknown", says: "the crate says “KX-482”" });
  });

  test("a shelved hardback is a book beside one that is called so", async () => {
    expect(await answerTo('count(things(category: "book"))')).toMatchObject({ value: 2 });
    expect(
      await answerTo('attribute(the(things(category: "book", text: "fairy tales")), name: "text")'),
    ).toMatchObject({
      items: [{ words: "FAIRY TALES" }],
    });
  });

  test("of several slots none is said to be the one that was asked for", async () => {
    const value = await answerTo('place(the(things(category: "slot", text: "C-77")))');
    expect(value).toMatchObject({ kind: "unknown", reason: "never-seen" });
  });
});
