/** Two robots, one memory behind a server; one hears of what the other says. Run: npx node examples/several-robots.ts */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { connect } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const loci = resolve(import.meta.dirname, "../bin/loci.mjs");

// Each robot has a token of its own, which is also its name as an author.
const tokenOf = (name: string): string => {
  const options = ["--scopes", "read,write", "--agent", name, "--memory", folder, "--json"];
  const said = execFileSync(process.execPath, [loci, "token", "add", name, ...options], { encoding: "utf8" });
  return (JSON.parse(said) as { token: string }).token;
};
const [tokenA, tokenB] = [tokenOf("rob-a"), tokenOf("rob-b")];

const server = spawn(process.execPath, [loci, "serve", "--memory", folder, "--port", "0", "--json"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
const { url } = JSON.parse(line) as { url: string };

// The face is the one of a memory that is opened here; only where it comes from differs.
const a = connect(url, { token: tokenA });
const b = connect(url, { token: tokenB });

// Robot b listens before a speaks; a stream that breaks goes on after the last commit that was heard.
const { lastCommitUs } = await b.stats();
const ears = new AbortController();
const heard = (async () => {
  const listening = b.changes({ after: lastCommitUs ?? 0, records: true }, { signal: ears.signal });
  for await (const { put } of listening) return put[0]?.record;
})();
await a.remember({ text: "The lift is out of order.", at: { x: 3, y: 0, z: 0 } });
const news = await heard;
ears.abort();
console.log("b heard:", news?.["text"], "from", news?.["author"]);

// Both write at once; the server is the one writer, so nothing is lost.
const facts = (robot: typeof a, name: string) =>
  Promise.all(Array.from({ length: 50 }, (_, n) => robot.remember({ text: `${name} checked door ${n}.` })));
await Promise.all([facts(a, "A"), facts(b, "B")]);
console.log("captions:", (await a.stats()).records.caption);
const { hits } = await b.search({ text: "door 7", by: "words", author: "rob-a", limit: 1 });
console.log("found by b:", hits[0]?.record.text[0]);

await Promise.all([a.close(), b.close()]);
server.kill();
await once(server, "exit");
rmSync(folder, { recursive: true });
