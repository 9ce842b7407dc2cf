import type { ForgetReport, RedactPictures } from "../memory/port.ts";
import type { ForgetThingOptions, Memory } from "./memory.ts";
import { correctionsOf } from "./people.ts";

/** Forgets records of a memory; where they are what people said, with the versions of things that were called so. */
export async function forgetIn(
  memory: Memory,
  ids: readonly string[],
  reason: string,
  { pictures = "blacken", ...options }: ForgetThingOptions,
): Promise<ForgetReport> {
  const redact: RedactPictures = async (shown) => {
    const { blackenedJpeg } = await import("../perception/index.ts");
    return Promise.all(shown.map(({ bytes, boxes }) => blackenedJpeg(bytes, boxes)));
  };
  const past = await correctionsOf(memory).withdraw(ids);
  try {
    return await (await memory.writer()).forget(
      { ids, reason, ...(past.length > 0 && { past }) },
      { ...options, ...(pictures === "blacken" && { redact }) },
    );
  } finally {
    memory.said.reload();
  }
}
