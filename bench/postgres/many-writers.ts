/**
 * Writers and readers on one scene at once, counted: what was acknowledged must be there, once, and every follower of the
 * tail must have been told of it, once. `node bench/postgres/many-writers.ts postgres://… [seconds] [writers] [readers]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../../src/memory/postgres/open.ts";

const [url, seconds = "300", writers = "8", readers = "8"] = process.argv.slice(2);
if (url === undefined) throw new Error("usage: many-writers.ts postgres://… [seconds] [writers] [readers]");
const place = `${url}${url.includes("?") ? "&" : "?"}pool=3&scene=many-${process.pid}`;
const until = performance.now() + Number(seconds) * 1000;
const errors = new Map<string, number>();
const failed = (error: unknown) => {
  const name = String((error as Error).message).slice(0, 120);
  errors.set(name, (errors.get(name) ?? 0) + 1);
};

async function write(n: number): Promise<{ records: Set<string>; sightings: number; latencies: number[] }> {
  const engine = await openPostgres(place);
  const writer = await engine.writer();
  await writer.setEmbedder("text", { id: "bench", dim: 4 });
  const [records, latencies] = [new Set<string>(), [] as number[]];
  let sightings = 0;
  const common = { validFromUs: 0, validToUs: null };
  await writer.write({ records: [{ kind: "track", id: `t${n}`, name: "mug", category: "mug", ...common }] });
  records.add(`t${n}`);
  await writer.write({
    records: [{ kind: "state", id: `s${n}`, trackId: `t${n}`, name: "mug", category: "mug", ...common }],
  });
  records.add(`s${n}`);
  for (let i = 0; performance.now() < until; i++) {
    const ids = [0, 1, 2].map((k) => `w${n}-${i}-${k}`);
    const text = `thing ${i % 50}`;
    const began = performance.now();
    try {
      await writer.write({
        records: ids.map((id) => ({
          kind: "caption" as const,
          id,
          source: "template" as const,
          text: [text],
          ...common,
        })),
        vectors: [{ text, vector: Float32Array.from([1, i % 50, n, 1]) }],
        sightings: [{ stateId: `s${n}`, timeUs: i, outcome: "seen" }],
      });
      latencies.push(performance.now() - began);
      for (const id of ids) records.add(id);
      sightings++;
    } catch (error) {
      failed(error);
    }
  }
  await engine.close();
  return { records, sightings, latencies };
}

async function read(
  n: number,
  stop: AbortSignal,
): Promise<{ told: Map<string, number>; sightings: number; searches: number }> {
  const engine = await openPostgres(n % 2 === 0 ? place : `${place}&resident=off`);
  const reader = await engine.reader();
  const told = new Map<string, number>();
  let [sightings, searches] = [0, 0];
  const following = (async () => {
    for await (const change of reader.changes({ signal: stop })) {
      for (const { id } of change.put) told.set(id, (told.get(id) ?? 0) + 1);
      sightings += change.sightings.length;
    }
  })();
  while (!stop.aborted) {
    await reader.search({ meaning: { words: `thing ${searches % 50}` }, limit: 5 }).catch(failed);
    searches++;
    await sleep(20);
  }
  await following.catch(failed);
  await engine.close();
  return { told, sightings, searches };
}

await (await openPostgres(place)).close();
const stop = new AbortController();
const reading = Array.from({ length: Number(readers) }, (_, n) => read(n, stop.signal));
const written = await Promise.all(Array.from({ length: Number(writers) }, (_, n) => write(n)));
await sleep(5_000);
stop.abort();
const seen = await Promise.all(reading);
const engine = await openPostgres(place);
const { records, versions, sightings } = await (await engine.reader()).stats();
await engine.close();
const acknowledged = new Set(written.flatMap((one) => [...one.records]));
const there = Object.values(records).reduce((sum, count) => sum + count, 0);
const looks = written.reduce((sum, one) => sum + one.sightings, 0);
const latencies = written.flatMap((one) => one.latencies).sort((a, b) => a - b);
console.log(
  `${writers} writers, ${readers} readers, ${seconds} s: ${latencies.length} batches, p50 ${latencies[latencies.length >> 1]?.toFixed(1)} ms, p99 ${latencies[Math.floor(latencies.length * 0.99)]?.toFixed(1)} ms`,
);
console.log(
  `acknowledged ${acknowledged.size} records and ${looks} sightings; there are ${there} (${versions} versions) and ${sightings}`,
);
for (const [n, one] of seen.entries()) {
  const missing = [...acknowledged].filter((id) => !one.told.has(id)).length;
  const doubled = [...one.told.values()].filter((count) => count > 1).length;
  console.log(
    `reader ${n}: told of ${one.told.size} records (${missing} missing, ${doubled} doubled) and ${one.sightings} sightings; ${one.searches} searches`,
  );
}
console.log(
  errors.size === 0
    ? "no error surfaced"
    : [...errors].map(([what, count]) => `${count} × ${what}`).join("\n"),
);
const whole =
  there === acknowledged.size &&
  versions === acknowledged.size &&
  sightings === looks &&
  errors.size === 0 &&
  seen.every((one) => one.told.size === acknowledged.size && one.sightings === looks);
console.log(whole ? "nothing lost, nothing doubled" : "NOT WHOLE");
process.exitCode = whole ? 0 : 1;
