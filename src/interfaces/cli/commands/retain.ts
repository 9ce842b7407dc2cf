import { localFace, type MemoryFace } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { type MemoryOptions, orThroughServer, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface RetainOptions extends MemoryOptions {
  readonly maxBytes?: number;
  readonly maxAge?: number;
  readonly now?: number;
}

/** Gives up the least valuable records until the memory is within its limits; a server that holds it does that itself. */
export async function run(
  { maxBytes, maxAge, now, ...options }: RetainOptions,
  terminal: Terminal,
): Promise<void> {
  if (maxBytes === undefined && maxAge === undefined)
    throw new LociError("invalid-input", "retain needs --max-bytes or --max-age");
  const limits = {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxAge !== undefined && { maxAgeDays: maxAge }),
    ...(now !== undefined && { nowUs: now }),
  };
  const retain = (face: MemoryFace) => face.retain(limits);
  const report = await orThroughServer(
    options,
    () =>
      withMemory(options, { create: false }, async (memory) => {
        const face = localFace(memory);
        return retain(face).finally(() => face.close());
      }),
    retain,
  );
  terminal.result(
    report,
    () =>
      `${report.bytesBefore.toLocaleString("en")} → ${report.bytesAfter.toLocaleString("en")} bytes: ${countOf(report.forgotten, "record")} given up, ${report.merged} merged`,
  );
  if (!report.isWithinBudget)
    throw new LociError(
      "limit-exceeded",
      `what is left must be kept: ${report.bytesAfter.toLocaleString("en")} bytes, ${maxBytes?.toLocaleString("en")} were asked for; allow as much, or forget some of it by name`,
    );
}
