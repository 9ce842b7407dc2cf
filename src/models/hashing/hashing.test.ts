import { expect, it } from "vitest";
import { cosine, describeTextEmbedder } from "../testing/text-embedder-contract.ts";
import { openHashing } from "./hashing.ts";

describeTextEmbedder("hashing", { open: async () => openHashing(64) });

it("puts similar spellings near and different ones far", async () => {
  const embedder = openHashing(512);
  const [mug, mugs, redMug, muggy, lamp] = await embedder.embed(["mug", "Mugs", "red mug", "muggy", "lamp"]);
  expect(cosine(mug!, redMug!)).toBeGreaterThan(cosine(mug!, muggy!));
  expect(cosine(mug!, mugs!)).toBeGreaterThan(0.2);
  expect(Math.abs(cosine(mug!, lamp!))).toBeLessThan(0.2);
});

it("has a background near nothing, as wide as its dimension allows", () => {
  const { mean, sd } = openHashing(256).background!;
  expect(mean).toBeGreaterThan(-0.05);
  expect(mean).toBeLessThan(0.15);
  expect(sd).toBeLessThan(0.15);
});

it("keeps its bits between releases", async () => {
  const [vector] = await openHashing(4).embed(["red mug"]);
  expect([...vector!]).toMatchInlineSnapshot(`
    [
      0,
      -0.3162277638912201,
      0,
      0.9486833214759827,
    ]
  `);
});

it.each([0, 1, 1.5, Number.NaN, 1e9])("refuses a dimension of %s", (dim) => {
  expect(() => openHashing(dim)).toThrow(expect.objectContaining({ code: "invalid-input" }));
});
