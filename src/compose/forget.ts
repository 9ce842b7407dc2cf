import type { Corrections } from "../corrections/index.ts";
import type { ForgetOptions, ForgetReport, MemoryWriter, RedactPictures } from "../memory/port.ts";

export interface ForgetThingOptions extends Omit<ForgetOptions, "redact"> {
  /** What happens to pictures in which it is one of many; default "blacken". */
  readonly pictures?: "blacken" | "give up";
  /** Ids that are not here are noted, so that nobody brings them. */
  readonly ahead?: boolean;
}

/** Forgets records; where they are what people said, with the versions of things that were called so. */
export async function forgetIn(
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  writer: MemoryWriter,
  corrections: Corrections,
  { pictures = "blacken", ahead = false, ...options }: ForgetThingOptions,
): Promise<ForgetReport> {
  const redact: RedactPictures = async (shown) => {
    const { blackenedJpeg } = await import("../perception/index.ts");
    return Promise.all(shown.map(({ bytes, boxes }) => blackenedJpeg(bytes, boxes)));
  };
  const past = await corrections.withdraw(ids);
  try {
    return await writer.forget(
      { ids, reason, ahead, ...(past.length > 0 && { past }) },
      { ...options, ...(pictures === "blacken" && { redact }) },
    );
  } finally {
    corrections.reload();
  }
}
