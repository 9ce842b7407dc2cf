import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Random } from "../geometry/index.ts";
import { encodeJpeg, shrunkJpeg } from "./pictures.ts";

/** Left half red, right half blue, with a little noise. */
function picture(width: number, height: number) {
  const random = new Random("picture");
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    data[3 * at + (at % width < width / 2 ? 0 : 2)] = 200 + random.int(0, 20);
  }
  return { width, height, data };
}

describe("a stored picture made smaller", () => {
  it("keeps its shape and what is where, in fewer bytes", async () => {
    const stored = await encodeJpeg(picture(320, 200), 320);
    const small = (await shrunkJpeg(stored, 96))!;
    expect(small.length).toBeLessThan(stored.length / 3);
    const { data, info } = await sharp(small).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([96, 60, 3]);
    const at = (x: number) => [...data.subarray(3 * (30 * 96 + x), 3 * (30 * 96 + x) + 3)];
    const [red, blue] = [at(10), at(85)];
    expect(red[0]! - red[2]!).toBeGreaterThan(120);
    expect(blue[2]! - blue[0]!).toBeGreaterThan(120);
  });

  it("is left alone where it is that small already, or no picture", async () => {
    const stored = await encodeJpeg(picture(96, 60), 96);
    expect(await shrunkJpeg(stored, 96)).toBeUndefined();
    expect(
      await shrunkJpeg((await shrunkJpeg(await encodeJpeg(picture(320, 200), 320), 96))!, 96),
    ).toBeUndefined();
    expect(await shrunkJpeg(Uint8Array.from([1, 2, 3]), 96)).toBeUndefined();
    expect(await shrunkJpeg(stored.slice(0, 40), 10)).toBeUndefined();
  });
});
