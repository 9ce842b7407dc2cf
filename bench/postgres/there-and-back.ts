/**
 * A memory from a folder to PostgreSQL and back into another folder by `loci copy`, killed once on each way and run again;
 * all three must have the same content by `loci verify --deep`.
 * node bench/postgres/there-and-back.ts postgres://…/database [RECORDS]
 */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openMemory } from "../../src/compose.ts";
import { PostgresServer } from "../../src/memory/postgres/server.ts";
import { parsePostgresUrl } from "../../src/memory/postgres/url.ts";
import { blobRefOf, type RecordInput } from "../../src/schema/core.ts";
import { Workload } from "../memory/workload.ts";

const [url, count = "100000"] = process.argv.slice(2);
if (url === undefined) throw new Error("usage: there-and-back.ts postgres://… [records]");
const RECORDS = Number(count);
const DIM = 64;
const BATCH = 1_000;
const CLI = join(import.meta.dirname, "../../bin/loci.mjs");

const home = mkdtempSync(join(tmpdir(), "loci-there-and-back-"));
const [first, last] = [join(home, "first"), join(home, "last")];
const scene = `there-and-back-${randomUUID().slice(0, 8)}`;
const there = `${url}${url.includes("?") ? "&" : "?"}scene=${scene}`;
try {
  await make(first);
  const away = await copyKilledOnce(first, there, rowsThere);
  const back = await copyKilledOnce(there, last, async () => existsSync(last));
  const digests = [];
  for (const place of [first, there, last]) {
    const { ok, digest } = JSON.parse(await loci("verify", "--deep", "--json", "--memory", place)) as {
      ok: boolean;
      digest: string;
    };
    digests.push(ok ? digest : `${place} is not sound`);
  }
  const good = new Set(digests).size === 1 && /^[0-9a-f]{64}$/.test(digests[0]!) && away.resumedFrom > 0;
  console.log(
    `${good ? "good" : "WRONG"}: ${away.rows} rows there, taken up again at row ${away.resumedFrom}, and ${back.rows} back; verify --deep ${[...new Set(digests)].join(" and ")}`,
  );
  process.exitCode = good ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Captions with vectors, tracks with states of two versions, sightings, pictures. */
async function make(folder: string): Promise<void> {
  const workload = new Workload({ n: RECORDS, dim: DIM, seed: 1 });
  const memory = await openMemory(folder, { environment: {} });
  const writer = await memory.writer();
  await writer.setEmbedder("text", { id: "bench", dim: DIM });
  for (let from = 0; from < RECORDS; from += BATCH) {
    const rows = workload.rows(from, Math.min(from + BATCH, RECORDS));
    const pictures = [0, 1].map((n) => new TextEncoder().encode(`picture ${from} ${n}`.repeat(200)));
    const records = rows.map(
      (row, n): RecordInput => recordOf(row, n, blobRefOf(pictures[n % 2]!), rows[n - 1]?.id),
    );
    await writer.write({
      records,
      vectors: rows.map(({ text, vector }) => ({ text, vector })),
      blobs: pictures,
      sightings: rows.flatMap(({ id, fromUs }, n) =>
        n % 10 === 1 ? [{ stateId: id, timeUs: fromUs, outcome: "seen" as const }] : [],
      ),
    });
    const again = records.filter((record) => record.kind === "state");
    await writer.write({ records: again.map((record) => ({ ...record, text: ["a second look"] })) });
  }
  await memory.close();
}

function recordOf(
  { id, x, y, z, fromUs, toUs, text }: ReturnType<Workload["rows"]>[number],
  n: number,
  picture: string,
  before: string | undefined,
): RecordInput {
  const common = { id, validFromUs: fromUs, validToUs: toUs, anchor: { submap: "world", p: { x, y, z } } };
  const named = { name: "thing", category: "thing" };
  switch (n % 10) {
    case 0:
      return { ...common, ...named, kind: "track" };
    case 1:
      return {
        ...common,
        ...named,
        kind: "state",
        trackId: before!,
        text: [text],
      };
    case 2:
      return { ...common, kind: "observation", sensorId: "camera", rgb: picture };
    default:
      return { ...common, kind: "caption", source: "vlm", text: [text] };
  }
}

async function copyKilledOnce(from: string, to: string, isUnderWay: () => Promise<boolean>) {
  const child = spawn(process.execPath, [CLI, "copy", from, to], { stdio: "ignore" });
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  while (!ended && !(await isUnderWay())) await sleep(20);
  if (ended) throw new Error("the copy was done before it could be killed; give more records");
  child.kill("SIGKILL");
  while (!ended) await sleep(20);
  return JSON.parse(await loci("copy", from, to, "--json")) as { rows: number; resumedFrom: number };
}

async function rowsThere(): Promise<boolean> {
  const server = await PostgresServer.open(parsePostgresUrl(there));
  try {
    const [row] = await server.session((session) =>
      session.rows("SELECT settings FROM scene WHERE name = $1", [scene]),
    );
    const settings = JSON.parse(String(row?.[0] ?? "{}")) as { restoring?: { rows: number } };
    return (settings.restoring?.rows ?? 0) > RECORDS / 3;
  } catch {
    return false;
  } finally {
    await server.close();
  }
}

async function loci(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { maxBuffer: 1 << 24 });
  return stdout;
}
