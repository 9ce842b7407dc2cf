import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

interface Options extends MemoryOptions {
  readonly repair?: boolean;
  readonly deep?: boolean;
  readonly against?: string;
}

export async function run(options: Options, terminal: Terminal): Promise<void> {
  const deep = options.deep === true || options.against !== undefined;
  const check = (memory: string) =>
    withMemory({ ...options, memory }, { create: false }, (opened) =>
      opened.verify({ deep, repair: options.repair === true }),
    );
  const report = await check(options.memory);
  const other = options.against === undefined ? undefined : await check(options.against);
  const equal = other && report.digest === other.digest;
  // Two ingests of one recording have equal content and different recording times.
  const equalButForClock = other && report.digestWithoutClock === other.digestWithoutClock;
  const ok = report.problems.length === 0 && equalButForClock !== false;
  terminal.result({ ok, ...report, ...(other && { equal, equalButForClock, against: other }) }, () => {
    const { checked } = report;
    const lines = [
      `checked ${countOf(checked.records, "record version")}, ${countOf(checked.sightings, "sighting")}, ${countOf(checked.vectors, "vector")}, ${countOf(checked.blobs, "blob")}`,
      ...report.repaired.map((what) => `repaired: ${what}`),
      ...report.problems.map((what) => `problem: ${what}`),
    ];
    if (report.digest) lines.push(`content sha256 ${report.digest} over ${countOf(report.rows ?? 0, "row")}`);
    if (other && equal) lines.push(`equal to ${options.against}`);
    else if (other && equalButForClock)
      lines.push(`holds the same as ${options.against}, recorded at other times`);
    else if (other) lines.push(`differs from ${options.against} (${other.digest})`);
    lines.push(ok ? "ok" : "not ok");
    return lines.join("\n");
  });
  if (!ok) process.exitCode = 1;
}
