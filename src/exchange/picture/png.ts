import { LociError } from "../../schema/core.ts";

/** The picture as pixels; `sharp` is loaded when first needed. */
export async function rasterise(svg: string): Promise<Uint8Array> {
  try {
    const { default: sharp } = await import("sharp");
    return new Uint8Array(
      await sharp(Buffer.from(svg), { limitInputPixels: 200_000_000 })
        .png({ compressionLevel: 9 })
        .toBuffer(),
    );
  } catch (error) {
    throw new LociError(
      "invalid-input",
      `the picture could not be turned into a PNG: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
