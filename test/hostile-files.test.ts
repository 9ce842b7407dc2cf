import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryWriter, SqliteEngine } from "../src/memory/index.ts";
import type { RecordInput } from "../src/schema/index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-hostile-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function note(id: string, text: string): RecordInput {
  return { kind: "caption", id, source: "human", text: [text], validFromUs: 0, validToUs: 1 };
}

async function memoryWith(folder: string, count: number): Promise<void> {
  const engine = await SqliteEngine.open({ folder });
  const writer = await engine.writer();
  await writer.write({
    records: Array.from({ length: count }, (_, i) => note(`n${i}`, `note number ${i} ${"x".repeat(200)}`)),
  });
  await engine.close();
}

async function opened(folder: string) {
  const engine = await SqliteEngine.open({ folder, create: false });
  const reader = await engine.reader();
  const { records } = await reader.stats();
  await engine.close();
  return records.caption;
}

describe("files that are not what they should be", () => {
  const good = join(base, "good");
  beforeAll(() => memoryWith(good, 300));

  const broken = (name: string, change: (file: string) => void) => {
    const folder = join(base, name);
    mkdirSync(folder);
    copyFileSync(join(good, "memory.db"), join(folder, "memory.db"));
    change(join(folder, "memory.db"));
    return folder;
  };

  it.each([
    [
      "truncated",
      "memory-corrupt",
      (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    ],
    ["empty", "memory-corrupt", (file: string) => truncateSync(file, 0)],
    [
      "text",
      "memory-corrupt",
      (file: string) => writeFileSync(file, "these are my notes, not a memory\n".repeat(500)),
    ],
    [
      "foreign",
      "memory-corrupt",
      (file: string) => {
        rmSync(file);
        const db = new DatabaseSync(file);
        db.exec("CREATE TABLE songs (title TEXT)");
        db.close();
      },
    ],
    [
      "newer",
      "memory-newer",
      (file: string) => {
        const db = new DatabaseSync(file);
        db.exec("PRAGMA user_version = 99");
        db.close();
      },
    ],
  ] as const)("%s: refused as %s, and left as it was", async (name, code, change) => {
    const folder = broken(name, change);
    const before = readFileSync(join(folder, "memory.db"));
    await expect(SqliteEngine.open({ folder })).rejects.toMatchObject({ code });
    await expect(SqliteEngine.open({ folder, create: false })).rejects.toMatchObject({ code });
    expect(readFileSync(join(folder, "memory.db")).equals(before)).toBe(true);
  });

  it("a damaged page is found by verify", async () => {
    const folder = broken("damaged", (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0xff, bytes.length - 8192 * 3, bytes.length - 8192 * 2);
      writeFileSync(file, bytes);
    });
    const engine = await SqliteEngine.open({ folder, create: false });
    const outcome = await engine.verify().then(
      (report) => report.problems.length,
      (error: { code: string }) => error.code,
    );
    await engine.close();
    expect(outcome === "memory-corrupt" || (typeof outcome === "number" && outcome > 0)).toBe(true);
  });

  it("a second writer is refused while the first goes on, in this process and in another", async () => {
    const folder = join(base, "two-writers");
    await memoryWith(folder, 1);
    const [first, second] = [await SqliteEngine.open({ folder }), await SqliteEngine.open({ folder })];
    const writer = await first.writer();
    await expect(second.writer()).rejects.toMatchObject({ code: "memory-busy" });
    const child = spawn(process.execPath, [join(import.meta.dirname, "ingest-child.ts"), folder, "1"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).not.toBe(0);
    expect(complaint).toContain("memory-busy");
    await writer.write({ records: [note("later", "still mine")] });
    await writer.close();
    const next = await second.writer();
    await next.write({ records: [note("last", "now mine")] });
    await first.close();
    await second.close();
    expect(await opened(folder)).toBe(3);
  });

  it.skipIf(process.getuid?.() === 0 && !canDropRoot())(
    "a read-only memory can be read and says so when written",
    () => {
      const folder = join(base, "read-only");
      const script = `
      import { SqliteEngine } from ${JSON.stringify(join(import.meta.dirname, "../src/memory/index.ts"))};
      const engine = await SqliteEngine.open({ folder: ${JSON.stringify(folder)}, create: false });
      const reader = await engine.reader();
      const { records } = await reader.stats();
      const code = await engine.writer().then(() => "none", (error) => error.code);
      await reader.close();
      await engine.close();
      // Served it can be read as well, and says the same.
      import { openMemory } from ${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))};
      import { serve } from ${JSON.stringify(join(import.meta.dirname, "../src/interfaces/http/server.ts"))};
      import { pino } from ${JSON.stringify(join(import.meta.dirname, "../node_modules/pino/pino.js"))};
      const memory = await openMemory(${JSON.stringify(folder)}, { embedder: "hashing:16" });
      const server = await serve(memory, { port: 0, log: pino({ level: "silent" }) });
      const read = await fetch(server.url + "/v1/stats");
      const body = JSON.stringify({ text: "x" });
      const headers = { "content-type": "application/json" };
      const written = await fetch(server.url + "/v1/facts", { method: "POST", headers, body });
      const served = [read.status, (await read.json()).records.caption, (await written.json()).code];
      console.log(JSON.stringify({ captions: records.caption, code, served }));
      await server.close();
      await memory.close();`;
      return memoryWith(folder, 5).then(() => {
        for (const name of ["writer.lock", "reserve"]) rmSync(join(folder, name), { force: true });
        chmodSync(join(folder, "memory.db"), 0o444);
        chmodSync(folder, 0o555);
        chmodSync(base, 0o755);
        const result = asNobody(script);
        chmodSync(folder, 0o755);
        expect(JSON.parse(result)).toEqual({
          captions: 5,
          code: "memory-read-only",
          served: [200, 5, "memory-read-only"],
        });
      });
    },
  );
});

describe("a full disk", () => {
  const disk = join(base, "disk");
  let mounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], { stdio: "pipe" });
      mounted = true;
    } catch {
      mounted = false;
    }
  });
  afterAll(() => {
    if (mounted) execFileSync("umount", ["-l", disk], { stdio: "pipe" });
  });

  it("refuses the write that does not fit, loses nothing, and can still forget", async (context) => {
    if (!mounted) context.skip("needs root to mount a small tmpfs");
    const folder = join(disk, "memory");
    const engine = await SqliteEngine.open({ folder });
    const writer = await engine.writer();
    const full = await fill(writer);
    expect(full.code).toBe("memory-full");
    expect(await opened(folder)).toBe(full.written);
    await expect(
      writer.write({ records: [note("one-more", "y".repeat(16_000)), note("another", "z".repeat(16_000))] }),
    ).rejects.toMatchObject({ code: "memory-full" });
    // Somebody else takes the last byte: now SQLite itself has nowhere to write.
    fillToTheBrim(join(disk, "filler"));
    expect(existsSync(join(folder, "reserve"))).toBe(true);
    const ids = Array.from({ length: 100 }, (_, i) => `big100-0-${i}`);
    const report = await writer.forget({ ids, reason: "room" });
    expect(report.forgotten).toHaveLength(100);
    // There is no room to copy the memory: what SQLite did not overwrite by itself may still be there, and it says so.
    expect(report.wiped).toBe(false);
    rmSync(join(disk, "filler"));
    await writer.write({ records: [note("after", "there is room again")] });
    await engine.close();
    expect(await opened(folder)).toBe(full.written - 100 + 1);
    const again = await SqliteEngine.open({ folder, create: false });
    expect((await again.verify()).problems).toEqual([expect.stringContaining("forgotten may still be in")]);
    await again.close();
  });
});

function fillToTheBrim(path: string): void {
  const file = openSync(path, "w");
  for (const size of [1_048_576, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch {
      // Full for this size.
    }
  }
  closeSync(file);
}

/** Writes until the disk says no even to one small record. */
async function fill(writer: MemoryWriter): Promise<{ written: number; code: string }> {
  let written = 0;
  for (const size of [100, 10, 1]) {
    for (let batch = 0; ; batch++) {
      const records = Array.from({ length: size }, (_, i) =>
        note(`big${size}-${batch}-${i}`, `${size} ${batch} ${i} ${"x".repeat(8_000)}`),
      );
      try {
        await writer.write({ records });
        written += size;
      } catch (error) {
        if (size === 1) return { written, code: (error as { code: string }).code };
        break;
      }
    }
  }
  return { written, code: "never full" };
}

function canDropRoot(): boolean {
  try {
    return asNobody("console.log(1)").trim() === "1";
  } catch {
    return false;
  }
}

/** Root may write anywhere, so permissions are tried as nobody. */
function asNobody(script: string): string {
  const root = process.getuid?.() === 0;
  // A file: threads that are started take none of what is said in the arguments.
  const file = join(mkdtempSync(join(tmpdir(), "loci-nobody-")), "script.mts");
  writeFileSync(file, script);
  chmodSync(dirname(file), 0o755);
  try {
    return execFileSync(process.execPath, [file], {
      encoding: "utf8",
      ...(root ? { uid: 65_534, gid: 65_534, env: { HOME: tmpdir(), PATH: process.env["PATH"] ?? "" } } : {}),
    });
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}
