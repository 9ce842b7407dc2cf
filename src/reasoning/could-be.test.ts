import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EmbeddedEngine } from "../memory/index.ts";
import { ask } from "./ask.ts";

const NOW_US = 60_000_000;
let folder: string;
let engine: EmbeddedEngine;

interface Seen {
  readonly category: string;
  readonly colour: string;
  readonly sizeM: number;
  readonly namedBy?: string;
  readonly maybe?: readonly { readonly category: string; readonly p: number }[];
}

const SEEN: readonly Seen[] = [
  { category: "keyboard", colour: "black", sizeM: 0.15, namedBy: "eyes" },
  { category: "sofa", colour: "brown", sizeM: 1.8, namedBy: "eyes" },
  { category: "keyboard", colour: "white", sizeM: 0.45, namedBy: "eyes" },
  { category: "binder", colour: "white", sizeM: 0.3, namedBy: "eyes", maybe: [{ category: "book", p: 0.4 }] },
  { category: "thing", colour: "red", sizeM: 0.45, maybe: [{ category: "handbag", p: 0.5 }] },
  { category: "thing", colour: "grey", sizeM: 0.7, maybe: [{ category: "potted plant", p: 0.2 }] },
  { category: "thing", colour: "blue", sizeM: 0.27, maybe: [{ category: "cushion", p: 0.15 }] },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-could-be-"));
  engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  const writer = await engine.writer();
  await writer.write({
    records: SEEN.flatMap(({ category, colour, sizeM, namedBy, maybe }, n) => {
      const named = { name: `${colour} ${category}`, category, text: [`${colour} ${category}`] };
      const always = { validFromUs: 0, validToUs: null };
      return [
        { kind: "track" as const, id: `t${n}`, ...named, ...always },
        {
          kind: "state" as const,
          id: `s${n}`,
          trackId: `t${n}`,
          ...named,
          ...always,
          text: [...named.text, ...(maybe ?? []).map((one) => `${one.category}?`)],
          ...(namedBy !== undefined && { namedBy }),
          ...(maybe && { maybe: [...maybe] }),
          anchor: { submap: "world", p: { x: 3 * n, y: 0, z: 0.5 } },
          extent: { x: sizeM, y: sizeM / 2, z: sizeM / 2 },
          attributes: { colour: { value: colour, p: 0.9, support: 5, lastUs: 0 } },
        },
      ];
    }),
  });
  await writer.close();
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const asked = async (question: string) => ask(question, { reader: await engine.reader(), nowUs: NOW_US });

it("offers the likeliest unnamed things, with their records, where none has the name", async () => {
  const { status, text, evidence } = await asked("Where is the backpack?");
  expect(status).toBe("ambiguous");
  expect(text).toMatch(/^I do not know which thing is a backpack; .*could be: a red thing \(\d+ %\)/);
  expect(evidence[0]).toMatchObject({ ref: "s4" });
});

it("still refuses what nothing resembles", async () => {
  expect(await asked("Where is the bed?")).toMatchObject({ status: "not-seen" });
  expect((await asked("Where is the bed?")).text).toMatch(/^I have not seen a bed/);
});

it("does not say yes where the name is hardly likely", async () => {
  const { binary, text } = await asked("Is there a plant?");
  expect(binary).toBe(false);
  expect(text).toContain("I have not seen a plant");
});

it("does not tell where an unnamed thing is in place of what is not there", async () => {
  const { binary, text } = await asked("Is there a plant on the sofa?");
  expect(binary).toBe(false);
  expect(text).not.toMatch(/grey thing/);
});

it("says under which condition an answer about a doubtful name holds, and is not sure of it", async () => {
  const doubtful = await asked("What colour is the binder?");
  expect(doubtful.text).toMatch(/^white, if what I saw is a binder \(\d+ %\)$/);
  expect(doubtful.confidence).toBeLessThanOrEqual(0.5);
});

it("offers what may be it in place of an answer about a thing that is hardly it", async () => {
  const { status, text, evidence } = await asked("Where is the cushion?");
  expect(status).toBe("ambiguous");
  expect(text).toMatch(/^I do not know which thing is a cushion; .*could be: .*a blue thing .*\(\d+ %\)/);
  expect(evidence.map(({ ref }) => ref)).toContain("s6");
});

it("says a sure name as it is", async () => {
  expect((await asked("What colour is the sofa?")).text).toBe("brown");
});

it("means the one that likely has the name before one that hardly has it", async () => {
  expect((await asked("What colour is the keyboard?")).text).toMatch(/^white, if what I saw is a keyboard/);
});
