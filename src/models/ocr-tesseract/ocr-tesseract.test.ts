import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import { findPackage } from "../optional-package.ts";
import { openTextReader } from "../text-readers.ts";

const packagesFrom = process.env["LOCI_PACKAGES"];
const missing = findPackage("tesseract.js", packagesFrom) === null;

it.skipIf(missing)(
  "reads a sign without a network, and nothing on an empty wall",
  async () => {
    const reader = (await openTextReader("tesseract", process.env))!;
    try {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#ddd"/><text x="160" y="220" font-size="64" font-family="sans-serif">FIRE EXIT</text></svg>`;
      const { data, info } = await sharp(Buffer.from(svg))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const picture = { width: info.width, height: info.height, data: new Uint8Array(data) };
      const [line, ...rest] = await reader.read(picture);
      expect(rest).toEqual([]);
      expect(line!.text).toBe("FIRE EXIT");
      expect(line!.bbox[0]).toBeGreaterThan(140);
      expect(line!.bbox[3]).toBeLessThan(240);
      expect(await reader.read({ ...picture, data: picture.data.map(() => 200) })).toEqual([]);
    } finally {
      await reader.close();
    }
  },
  60_000,
);

it("says in one line what to install, and what can be chosen", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "loci-nothing-"));
  try {
    await expect(openTextReader("tesseract", { LOCI_PACKAGES: nowhere })).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(
        /run: npm install tesseract\.js@7\.0\.0 @tesseract\.js-data\/eng@1\.0\.0$/,
      ),
    });
  } finally {
    await rm(nowhere, { recursive: true });
  }
  expect(await openTextReader("none")).toBeNull();
  await expect(openTextReader("magic")).rejects.toThrow(/none or paddle or tesseract/);
});
