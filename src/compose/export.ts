import type { ExportFormat, ExportOptions, ExportReport } from "../exchange/formats/format.ts";
import type { LiveOptions } from "../exchange/foxglove/live.ts";
import type { DriverOptions, RobotDriver } from "../sensors/rosbridge/driver.ts";
import { checkNames } from "./known-names.ts";
import type { Memory } from "./memory.ts";

export type ExportRequest = ExportOptions & { readonly format?: ExportFormat };

/**
 * Exports a memory to a file in the format given, or the one that the file name implies. The export contains what the
 * memory's view may see (`memory.as(…)`); the file appears under its name only once complete.
 */
export async function exportMemory(
  memory: Memory,
  path: string,
  request: ExportRequest = {},
): Promise<ExportReport & { readonly format: ExportFormat }> {
  const { exportReader, formatOf } = await import("../exchange/export.ts");
  const { format = formatOf(path), atUs = memory.view.asOfWorldUs, ...rest } = request;
  // A full export has no moment of its own; the reader's is used.
  const moment = atUs === undefined || (format === "jsonl" && request.atUs === undefined) ? {} : { atUs };
  const reader = await memory.reader();
  await checkNames(reader, request);
  return exportReader(reader, path, { format, ...moment, ...rest });
}

/** Streams a memory as Foxglove messages, the latest of every topic and then each change, until stopped. */
export async function followMemory(memory: Memory, options: LiveOptions): Promise<void> {
  const { followLive } = await import("../exchange/foxglove/live.ts");
  return followLive(await memory.reader(), options);
}

/** The JSON schemas of those messages, by name. */
export async function liveSchemas(): Promise<Readonly<Record<string, object>>> {
  return (await import("../exchange/foxglove/topics.ts")).SCHEMAS;
}

/** A robot behind a rosbridge that goals and events are sent to; it connects on the first message. */
export async function openRobot(options: DriverOptions): Promise<RobotDriver> {
  return new (await import("../sensors/rosbridge/driver.ts")).RobotDriver(options);
}
