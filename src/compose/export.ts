import type { ExportFormat, ExportOptions, ExportReport } from "../exchange/formats/format.ts";
import type { LiveOptions } from "../exchange/foxglove/live.ts";
import type { DriverOptions, RobotDriver } from "../sensors/rosbridge/driver.ts";
import { checkNames } from "./known-names.ts";
import type { Memory } from "./memory.ts";

export type ExportRequest = ExportOptions & { readonly format?: ExportFormat };

/**
 * Writes a memory as a file for other tools: the format is the one its name ends in, or the one given. It shows what
 * the memory's view may see (`memory.as(…)`), and is there under its name only when it is whole.
 */
export async function exportMemory(
  memory: Memory,
  path: string,
  request: ExportRequest = {},
): Promise<ExportReport & { readonly format: ExportFormat }> {
  const { exportReader, formatOf } = await import("../exchange/export.ts");
  const { format = formatOf(path), atUs = memory.view.asOfWorldUs, ...rest } = request;
  // A file of everything has no moment of its own: its reader's is enough.
  const moment = atUs === undefined || (format === "jsonl" && request.atUs === undefined) ? {} : { atUs };
  const reader = await memory.reader();
  await checkNames(reader, request);
  return exportReader(reader, path, { format, ...moment, ...rest });
}

/** What a memory shows in Foxglove's messages, the newest of every topic and then whatever changes; until it is stopped. */
export async function followMemory(memory: Memory, options: LiveOptions): Promise<void> {
  const { followLive } = await import("../exchange/foxglove/live.ts");
  return followLive(await memory.reader(), options);
}

/** The JSON schemas of those messages, by name. */
export async function liveSchemas(): Promise<Readonly<Record<string, object>>> {
  return (await import("../exchange/foxglove/topics.ts")).SCHEMAS;
}

/** A robot behind a rosbridge, to send goals and events to; it is connected to with the first of them. */
export async function openRobot(options: DriverOptions): Promise<RobotDriver> {
  return new (await import("../sensors/rosbridge/driver.ts")).RobotDriver(options);
}
