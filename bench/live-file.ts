/**
 * `node bench/live-file.ts BAG [--speed 1] [--rule newest] [--rate 30] [--detector eyes]`: a bag taken in as a file, and replayed as
 * foxglove_bridge and taken in live; the things of both are compared by kind and place, without their ids. Printed when the
 * robot has ended and when what it showed was looked at again.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  ingestRecording,
  localFace,
  type Memory,
  openMemory,
  openReplay,
  type SourceStatus,
} from "../src/compose.ts";
import { startReplay } from "../src/interfaces/live/replay-server.ts";

/** Two are one thing within this. */
const SAME_M = 0.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    speed: { type: "string", default: "1" },
    rule: { type: "string", default: "newest" },
    rate: { type: "string", default: "30" },
    detector: { type: "string", default: "eyes" },
  },
});
const [bag] = positionals;
if (bag === undefined) throw new Error("expected a bag: node bench/live-file.ts BAG");
const { detector } = values;
const folder = await mkdtemp(join(tmpdir(), "loci-live-file-"));
const [file, live] = [await openMemory(join(folder, "file")), await openMemory(join(folder, "live"))];
try {
  await ingestRecording(file, resolve(bag), { detector });
  const wanted = await thingsIn(file);
  const recorded = await openReplay(resolve(bag));
  const replay = await startReplay(recorded, { port: 0, speed: Number(values.speed), wait: true });
  const face = localFace(live, { id: "owner", labels: "*" });
  const source = `foxglove://127.0.0.1:${replay.port}`;
  const whenBehind = values.rule as "newest";
  await face.startSource({ source, detector, whenBehind, read: { rateHz: Number(values.rate) } });
  let isOver = false;
  void replay.done.then(() => {
    isOver = true;
  });
  const ended = await until(({ frames, state }) => frames.came > 0 && (state !== "running" || isOver));
  report("when the robot ended", ended, wanted, await thingsIn(live));
  const caughtUp = await until(({ state, later }) => state !== "running" && later.waiting === 0);
  await pause(1_000);
  report("caught up", caughtUp, wanted, await thingsIn(live));
  await face.stopSource(caughtUp.id);
  report("stopped", caughtUp, wanted, await thingsIn(live));
  await replay.close();
  await recorded.close();

  async function until(isSo: (status: SourceStatus) => boolean): Promise<SourceStatus> {
    for (;;) {
      const [status] = await face.sources();
      if (status && isSo(status)) return status;
      await pause(250);
    }
  }
} finally {
  await file.close();
  await live.close();
  await rm(folder, { recursive: true, force: true });
}

interface Thing {
  readonly kind: string;
  readonly at: readonly number[];
}

async function thingsIn(memory: Memory): Promise<Thing[]> {
  const { rows } = await localFace(memory, { id: "owner", labels: "*" }).list({ what: "things" });
  return rows.map(({ kind, at }) => ({ kind: String(kind), at: String(at).split(" ").map(Number) }));
}

/** Each thing of the file has at most one of the live memory, the nearest first. */
function report(when: string, status: SourceStatus, wanted: readonly Thing[], found: readonly Thing[]): void {
  const pairs = (isKind: boolean) => {
    const left = new Set(found);
    return wanted.filter((one) => {
      const [nearest] = [...left]
        .filter((other) => (!isKind || other.kind === one.kind) && offM(one, other) <= SAME_M)
        .sort((a, b) => offM(one, a) - offM(one, b));
      return nearest !== undefined && left.delete(nearest);
    }).length;
  };
  console.log(
    JSON.stringify({
      when,
      ofFile: wanted.length,
      live: found.length,
      sameKindAndPlace: pairs(true),
      samePlace: pairs(false),
      frames: status.frames,
      dropped: status.dropped,
      later: status.later,
      latencyMs: status.latencyMs,
    }),
  );
}

function offM(a: Thing, b: Thing): number {
  return Math.hypot(...a.at.map((value, n) => value - b.at[n]!));
}
