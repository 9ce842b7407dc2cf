// A memory of many records into an empty one, in process and over a server on loopback, and both once more with nothing to
// tell: npx node bench/sync.bench.ts [RECORDS=50000] [postgres://…?scene=NAME]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { localPeer, type Memory, openMemory, type Peer, syncMemories } from "../src/compose.ts";
import { serve } from "../src/interfaces/http/server.ts";
import { connectPeer } from "../src/remote/index.ts";
import { robotStep } from "../src/sharing/testing/robots.ts";

const [wanted = "50000", postgres] = process.argv.slice(2);
const RECORDS = Number(wanted);
const NOTES = 6;
const folder = mkdtempSync(join(tmpdir(), "loci-sync-bench-"));

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  console.log(`${what.padEnd(34)} ${seconds.toFixed(2)} s`);
  return result;
}

async function meet(what: string, here: Peer, there: Peer): Promise<void> {
  const report = await timed(what, () => syncMemories(here, there, { pull: false }));
  const { segments, bytes, taken, records, sightings } = report.pushed;
  console.log(
    `  ${taken} commits, ${records} records, ${sightings} sightings in ${segments} segments of ${bytes} bytes`,
  );
  await timed("  again, with nothing to tell", () => syncMemories(here, there));
}

const robot: Memory = await openMemory(join(folder, "robot"));
await timed(`writing ${RECORDS} records`, async () => {
  let records = 0;
  for (let step = 0; records < RECORDS; step++) {
    const batch = robotStep("r", 1, step, { notes: NOTES, pictureBytes: 1_000 });
    records += batch.records!.length;
    await robot.write(batch);
  }
});
const here = await localPeer(robot, "robot");
const near = await openMemory(join(folder, "near"));
await meet("into a folder", here, await localPeer(near, "near"));
const far = await openMemory(join(folder, "far"));
const serving = await serve(far, { port: 0, log: pino({ level: "silent" }) });
await meet("over HTTP on loopback", here, connectPeer(serving.url));
if (postgres !== undefined) {
  const fleet = await openMemory(postgres, { environment: { ...process.env, LOCI_STATE: folder } });
  await meet("into PostgreSQL", here, await localPeer(fleet, "fleet"));
  await fleet.close();
}
await serving.close();
for (const memory of [robot, near, far]) await memory.close();
rmSync(folder, { recursive: true, force: true });
