/**
 * Two robots, each a process of its own, see the same things at the same time and write what they see into one memory:
 * node bench/postgres/two-robots.ts postgres://…/database [LOOKS]
 * In the end every thing must be one open state of one track, whoever saw it first.
 */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { frameOfLook, LiveFrames } from "../../src/compose/live-frames.ts";
import { openMemory } from "../../src/compose/memory.ts";
import { Random } from "../../src/geometry/index.ts";
import { OWNER } from "../../src/memory/index.ts";

const [url, looks = "20", robot] = process.argv.slice(2);
if (url === undefined) throw new Error("give the URL of a database, postgres://…");
const T0 = 1_760_000_000_000_000;
const THINGS = 12;
/** How far off each robot believes everything to be. */
const ERROR_M = 0.03;

if (robot === undefined) await parent();
else await see(robot);

async function parent(): Promise<void> {
  const scene = `two-robots-${randomUUID().slice(0, 8)}`;
  const place = `${url}${url!.includes("?") ? "&" : "?"}scene=${scene}`;
  await (await openMemory(place)).close();
  const children = ["rob", "bob"].map((name) => fork(import.meta.filename, [place, looks, name]));
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  const codes = await Promise.all(children.map(async (child) => Number((await once(child, "exit"))[0])));
  const memory = await openMemory(place);
  const reader = await memory.reader();
  const { hits } = await reader.search({ kinds: ["state", "track"], limit: 1_000 });
  const states = hits.filter(({ record }) => record.kind === "state" && record.validToUs === null).length;
  const tracks = hits.filter(
    ({ record }) => record.kind === "track" && record.mergedInto === undefined,
  ).length;
  const { sightings } = await reader.stats();
  await memory.close();
  const good = codes.every((code) => code === 0) && states === THINGS && tracks === THINGS;
  console.log(
    `${good ? "good" : "WRONG"}: ${THINGS} things seen by two robots, ${states} open states, ${tracks} tracks, ${sightings} sightings`,
  );
  process.exitCode = good ? 0 : 1;
}

async function see(agent: string): Promise<void> {
  const memory = await openMemory(url!);
  const frames = new LiveFrames(memory);
  const off = agent === "rob" ? ERROR_M : -ERROR_M;
  const told = once(process, "message");
  process.send!("ready");
  await told;
  for (let n = 0; n < Number(looks); n++) {
    const random = new Random(`${agent}/${n}`);
    const detections = Array.from({ length: THINGS }, (_, i) => ({
      category: ["kettle", "chair", "box"][i % 3]!,
      position: {
        x: 4 + (i % 4) + off + random.range(-0.01, 0.01),
        y: Math.floor(i / 4) - 1 + random.range(-0.01, 0.01),
        z: 0.5,
      },
      extent: { x: 0.3, y: 0.3, z: 0.3 },
    }));
    const pose = { p: { x: 0, y: 0, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };
    const sent = frameOfLook({ time: T0 + n * 500_000, agent, pose, detections });
    const part = { memory, seen: memory, actor: OWNER, eyes: undefined };
    await frames.take(sent, { sceneId: "default", labels: [], author: undefined }, part);
  }
  await frames.finish();
  await memory.close();
  process.disconnect();
}
