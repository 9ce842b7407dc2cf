import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMemory } from "../src/index.ts";
import { loci as inProcess } from "./command-line.ts";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-people-"));
  const memory = await openMemory(folder, { embedder: "hashing:64" });
  const thing = { validFromUs: 1_700_000_000_000_000, validToUs: null, name: "grey box", category: "box" };
  await memory.write({
    records: [
      { kind: "track", id: "t", ...thing },
      {
        kind: "state",
        id: "s",
        trackId: "t",
        ...thing,
        text: ["grey box"],
        anchor: { submap: "world", p: { x: 1, y: 2, z: 0.5 } },
        extent: { x: 0.4, y: 0.4, z: 0.4 },
      },
    ],
  });
  await memory.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const args = (...command: string[]) => [...command, "--memory", folder, "--embedder", "hashing:64"];
const loci = async (...command: string[]) => JSON.parse((await inProcess(args(...command, "--json"))).out);

describe("people at the command line", { timeout: 60_000 }, () => {
  it("correct, name, undo, and are told by a watch in another process", async () => {
    const watch = spawn(
      process.execPath,
      [LOCI, ...args("watch", "tell me when there is a printer", "--count", "1", "--json")],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const told = new Promise<string>((done) => createInterface({ input: watch.stdout }).once("line", done));
    await new Promise((ready) => createInterface({ input: watch.stderr }).once("line", ready));
    const said = await loci("correct", "the grey box", "--is", "a printer", "--author", "ada");
    expect(said).toMatchObject({ what: "kind", target: "t", says: "printer", author: "ada" });
    expect(JSON.parse(await told)).toMatchObject({ number: 1, entered: [{ name: "so" }] });
    expect((await loci("things", "--kind", "printer")).rows).toMatchObject([
      { id: "t", name: "grey printer" },
    ]);
    const dock = await loci("name", "--as", "the charging dock", "--at", "1,2,0");
    expect((await loci("ask", "Where is the charging dock?")).position.point).toEqual({ x: 1, y: 2, z: 0 });
    expect((await loci("undo")).id).toBe(dock.id);
    expect((await loci("undo", said.id)).undone.by).toBe("local");
    expect((await loci("things", "--kind", "box")).rows).toMatchObject([{ id: "t", name: "grey box" }]);
    expect((await loci("corrections")).map((one: { says: string }) => one.says)).toEqual([
      "charging dock",
      "printer",
    ]);
    const failed = run(process.execPath, [LOCI, ...args("undo")]).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(await failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^loci: nothing was corrected .*\n$/),
    });
  });
});
