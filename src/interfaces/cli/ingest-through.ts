import { setTimeout as pause } from "node:timers/promises";
import { type MemoryFace, memoryFolder, type SourceRequest, type SourceStatus } from "../../compose.ts";
import { ERROR_CODES, LociError } from "../../schema/core.ts";
import { isAlive, readServerFile } from "../handover/server-file.ts";
import { countOf, type Terminal } from "./terminal.ts";

const LOOK_MS = 500;
const OVER: ReadonlySet<SourceStatus["state"]> = new Set(["finished", "stopped", "failed"]);

/** The face of a server: the one that is named, else the one that holds the memory; undefined where there is none. */
export async function serverFor({
  server,
  memory,
}: {
  readonly server?: string | undefined;
  readonly memory: string;
}): Promise<MemoryFace | undefined> {
  const { connect } = await import("../../remote/index.ts");
  const token = process.env["LOCI_TOKEN"];
  if (server !== undefined) return connect(server, token === undefined ? {} : { token });
  const found = readServerFile(memoryFolder(memory));
  return found && isAlive(found) ? connect(found.url, { token: found.token }) : undefined;
}

/** Asks a server to take a source in, shows how that goes, and stops it there when it is interrupted. */
export async function ingestThrough(
  face: MemoryFace,
  request: SourceRequest,
  terminal: Terminal,
): Promise<void> {
  let status = await face.startSource(request);
  const { id } = status;
  terminal.note(
    `${status.source} is taken in by the server that holds the memory, as ${id}; Ctrl-C stops it`,
  );
  while (!OVER.has(status.state)) {
    terminal.progress(progressLine(status));
    const wasStopped = await pause(LOOK_MS, false, { signal: terminal.signal }).catch(() => true);
    status = wasStopped ? await face.stopSource(id) : await statusOf(face, id);
    if (wasStopped) break;
  }
  if (status.state === "failed") {
    const { code, message } = status.problem ?? { code: "", message: "it failed" };
    throw new LociError(ERROR_CODES.find((known) => known === code) ?? "source-unavailable", message);
  }
  terminal.result(status, () => statusLines(status).join("\n"));
}

async function statusOf(face: MemoryFace, id: string): Promise<SourceStatus> {
  const found = (await face.sources()).find((one) => one.id === id);
  if (found === undefined)
    throw new LociError("unknown-id", `the server no longer knows of the source ${id}`);
  return found;
}

export function progressLine({ state, frames, totalFrames, rateHz, latencyMs, waits }: SourceStatus): string {
  const of = totalFrames === null ? "" : ` of ${totalFrames}`;
  const late = latencyMs === null ? "" : `, ${latencyMs.median} ms to the answer`;
  const why = waits === null ? "" : ` (${waits})`;
  return `${state}: ${frames.taken}${of} frames, ${rateHz.toFixed(1)} a second${late}${why}`;
}

export function statusLines(status: SourceStatus): string[] {
  const { id, frames, dropped, skipped, detections, latencyMs, reconnects, later } = status;
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([reason, count]) => `${count} ${reason}`)
      .join(", ");
  return [
    `${id} ${status.state}: ${countOf(frames.taken, "frame")} of ${frames.came} taken in, ${countOf(detections, "detection")}`,
    ...(Object.keys(dropped).length > 0 ? [`dropped: ${counts(dropped)}`] : []),
    ...(Object.keys(skipped).length > 0 ? [`not learnt from: ${counts(skipped)}`] : []),
    ...(reconnects > 0 ? [`lost and reached again: ${reconnects} times`] : []),
    ...(latencyMs
      ? [`from picture to answer: median ${latencyMs.median} ms, 95 % within ${latencyMs.p95} ms`]
      : []),
    ...(later.done + later.waiting > 0
      ? [
          `looked at again with what was seen since: ${countOf(later.done, "frame")}${later.waiting > 0 ? `, ${later.waiting} still wait` : "; caught up"}`,
        ]
      : []),
  ];
}
