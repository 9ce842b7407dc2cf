import { retainWithin } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface RetainOptions extends MemoryOptions {
  readonly maxBytes?: number;
  readonly maxAge?: number;
  readonly now?: number;
}

const DAY_US = 86_400_000_000;

/** Gives up the least valuable records until the memory is within its limits. */
export async function run(
  { maxBytes, maxAge, now, ...options }: RetainOptions,
  terminal: Terminal,
): Promise<void> {
  if (maxBytes === undefined && maxAge === undefined)
    throw new LociError("invalid-input", "retain needs --max-bytes or --max-age");
  const report = await withMemory(options, { create: false }, async (memory) => {
    const age = maxAge === undefined ? undefined : Math.round(maxAge * DAY_US);
    return retainWithin(memory, {
      nowUs: now,
      ...(maxBytes !== undefined && { maxBytes }),
      ...(age !== undefined && { maxAgeUs: { detection: age, observation: age, caption: age, view: age } }),
    });
  });
  const { plans: _plans, ...shown } = report;
  terminal.result(
    shown,
    () =>
      `${report.bytesBefore.toLocaleString("en")} → ${report.bytesAfter.toLocaleString("en")} bytes: ${countOf(report.forgotten, "record")} given up, ${report.merged} merged`,
  );
  if (!report.isWithinBudget)
    throw new LociError(
      "limit-exceeded",
      `what is left must be kept: ${report.bytesAfter.toLocaleString("en")} bytes, ${maxBytes?.toLocaleString("en")} were asked for; allow as much, or forget some of it by name`,
    );
}
