import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { describeTextEmbedder } from "../testing/text-embedder-contract.ts";
import { openLociText, type StaticEncoder } from "./loci-text.ts";

/** An encoder that behaves like the real one: counts letters, vectors not of unit length, "the" without meaning. */
const counting: StaticEncoder = {
  id: "counting",
  dim: 27,
  encode(text) {
    const words = text.toLowerCase().replaceAll(/\bthe\b/g, "");
    const row = new Float32Array(27);
    for (const letter of words) if (/\S/.test(letter)) row[(letter.codePointAt(0) ?? 0) % 27]! += 1;
    return row.some((value) => value > 0) ? row : null;
  },
};

const shipped = existsSync(new URL("../loci-encoder/encoder.ts", import.meta.url));

describeTextEmbedder("loci with a fake encoder", { open: () => openLociText(counting) });
describeTextEmbedder("loci", {
  open: () => openLociText(),
  skip: shipped ? null : "src/models/loci-encoder/encoder.ts is not there yet",
});

it("passes on that a text has no meaning", async () => {
  const embedder = await openLociText(counting);
  expect(await embedder.embed(["the", "The the"])).toEqual([null, null]);
});

it("lets others have their turn within a long call", async () => {
  const embedder = await openLociText(counting);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await embedder.embed(new Array<string>(4_000).fill("a red mug on the kitchen table"));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

it("lets others go on between long texts", async () => {
  const embedder = await openLociText();
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await embedder.embed(Array.from({ length: 100 }, (_, n) => `the mug number ${n} is red `.repeat(500)));
  isDone = true;
  expect(turns).toBeGreaterThan(2);
  await embedder.close();
});
