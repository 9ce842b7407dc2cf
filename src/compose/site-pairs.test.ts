import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sitePairs } from "./site-pairs.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-pairs-"));
});
afterAll(() => rm(folder, { recursive: true }));

const PAIR = 'Is the kiln firing?\tis(the(things(category: "kiln")), attribute: "power", value: "on")\n';

it("reads what lies in the memory's folder and what the environment names, and again when it changes", async () => {
  expect(await sitePairs(folder, {})).toBeUndefined();
  const own = join(folder, "pairs.tsv");
  await writeFile(own, PAIR);
  const one = (await sitePairs(folder, {}))!;
  expect(await sitePairs(folder, {})).toBe(one);
  await writeFile(own, PAIR + PAIR.replace("firing", "glowing"));
  expect((await sitePairs(folder, {}))!.size).toBe(one.size + 1);
  const named = join(folder, "site.tsv");
  await writeFile(named, PAIR);
  expect((await sitePairs(folder, { LOCI_PAIRS: named }))!.size).toBe(one.size + 2);
});

it("says what is wrong with a file", async () => {
  const named = join(folder, "bad.tsv");
  await writeFile(named, "Is it?\tnowhere()\n");
  await expect(sitePairs(folder, { LOCI_PAIRS: named })).rejects.toThrow(/bad\.tsv.*line 1/);
  await expect(sitePairs(folder, { LOCI_PAIRS: join(folder, "gone.tsv") })).rejects.toThrow(/no such file/);
});
