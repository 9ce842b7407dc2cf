/**
 * Writes and reads without pause while somebody kills, restarts or replaces the server, and then counts: whatever was
 * acknowledged must be there, once. `node bench/postgres/keep-writing.ts postgres://host:port[,host:port]/db [seconds]`
 */
import { openPostgres } from "../../src/memory/postgres/open.ts";
import { isLociError } from "../../src/schema/core.ts";

const [url, seconds = "30"] = process.argv.slice(2);
if (url === undefined) throw new Error("usage: keep-writing.ts postgres://… [seconds]");
const place = `${url}${url.includes("?") ? "&" : "?"}scene=keep-${process.pid}`;
const engine = await openPostgres(place);
const writer = await engine.writer();
const reader = await engine.reader();
const acknowledged: string[] = [];
const refused = new Map<string, number>();
const common = { validFromUs: 0, validToUs: null };
await writer.write({ records: [{ kind: "track", id: "t", name: "mug", category: "mug", ...common }] });
await writer.write({
  records: [{ kind: "state", id: "s", trackId: "t", name: "mug", category: "mug", ...common }],
});
console.log("writing");
const until = performance.now() + Number(seconds) * 1000;
let [longestMs, reads] = [0, 0];

const reading = (async () => {
  while (performance.now() < until) {
    await reader.count({ kinds: ["caption"] }).then(() => reads++, note);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})();
for (let i = 0; performance.now() < until; i++) {
  const began = performance.now();
  try {
    await writer.write({
      records: [{ kind: "caption", id: `c${i}`, source: "template", text: [`line ${i}`], ...common }],
      sightings: [{ stateId: "s", timeUs: i, outcome: "seen" }],
    });
    acknowledged.push(`c${i}`);
  } catch (error) {
    note(error);
  }
  longestMs = Math.max(longestMs, performance.now() - began);
}
await reading;
const found = await reader.get(acknowledged.slice(0, 100_000));
const missing = found.filter((record) => record === undefined).length;
const { records, versions, sightings } = await reader.stats();
await engine.close();
console.log(
  `${acknowledged.length} writes acknowledged, the longest after ${(longestMs / 1000).toFixed(1)} s; ${reads} reads`,
);
for (const [what, count] of refused) console.log(`${count} × ${what}`);
console.log(
  `there: ${records.caption} captions, ${versions} versions, ${sightings} sightings; ${missing} of the acknowledged are missing`,
);
// A refused write may have gone through, once: its answer was lost on the way.
const whole = missing === 0 && versions === records.caption + 2 && sightings === records.caption;
console.log(whole ? "nothing acknowledged is lost, nothing doubled" : "NOT WHOLE");
process.exitCode = whole ? 0 : 1;

function note(error: unknown): void {
  if (!isLociError(error)) throw error;
  refused.set(error.message, (refused.get(error.message) ?? 0) + 1);
}
