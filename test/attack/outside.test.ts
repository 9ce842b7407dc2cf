import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  describeRecording,
  drawMemory,
  ingestRecording,
  openMemory,
  openModels,
  simulate,
} from "../../src/index.ts";
import { harmless, harmlessJson } from "../../src/interfaces/cli/harmless.ts";

const base = mkdtempSync(join(tmpdir(), "loci-outside-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const BIN = join(import.meta.dirname, "../../bin/loci.mjs");
const loci = (...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], {
    encoding: "utf8",
    timeout: 60_000,
  });
  return { out: stdout, err: stderr, status };
};

describe("a recording with one thing wrong", () => {
  const tour = join(base, "tour");
  beforeAll(async () => {
    await simulate({ family: "house", seed: "9", minutes: 0.1, fps: 2, noise: 0, out: tour } as never);
  }, 60_000);
  const frame = (folder: string, what: string) => join(folder, `frame-000004.${what}.png`);

  it.each([
    [
      "a picture that is cut short",
      (folder: string) => truncateSync(frame(folder, "color"), 500),
      /frame-000004/,
    ],
    [
      "a depth that is cut short",
      (folder: string) => truncateSync(frame(folder, "depth"), 300),
      /frame-000004/,
    ],
    [
      "a last line that is cut",
      (folder: string) => {
        const file = join(folder, "frames.jsonl");
        truncateSync(file, readFileSync(file).length - 40);
      },
      /a line/,
    ],
    [
      "a pipe for a picture",
      (folder: string) => {
        rmSync(frame(folder, "color"));
        execFileSync("mkfifo", [frame(folder, "color")]);
      },
      /not a pipe or a folder/,
    ],
    [
      "a folder for a picture",
      (folder: string) => {
        rmSync(frame(folder, "color"));
        mkdirSync(frame(folder, "color"));
      },
      /not a pipe or a folder/,
    ],
  ])(
    "loses the one frame to %s, and says which",
    async (name, harm, words) => {
      const folder = join(base, name.replaceAll(" ", "-"));
      cpSync(tour, folder, { recursive: true });
      const frames = readFileSync(join(folder, "frames.jsonl"), "utf8").trim().split("\n").length;
      harm(folder);
      const memory = await openMemory(`${folder}.memory`);
      const left: string[] = [];
      const read = { onSkip: ({ what, why }: { what: string; why: string }) => left.push(`${what}: ${why}`) };
      const summary = await ingestRecording(memory, folder, { read });
      expect(left).toEqual([expect.stringMatching(words)]);
      expect(summary.frames).toBe(frames - 1);
      expect((await memory.stats()).records.observation).toBe(frames - 1);
      expect(await memory.unfinished()).toEqual([]);
      await memory.close();
    },
    60_000,
  );

  it("refuses detections whose pictures lie somewhere else, and a pipe as a source", async () => {
    const file = join(base, "det.json");
    const image = {
      id: 1,
      file_name: "../../etc/passwd",
      width: 160,
      height: 120,
      date_captured: "2024-01-02T03:04:05Z",
    };
    writeFileSync(file, JSON.stringify({ images: [image], annotations: [], categories: [] }));
    await expect(describeRecording(file)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("beside the detections"),
    });
    const pipe = join(base, "source.mcap");
    execFileSync("mkfifo", [pipe]);
    await expect(describeRecording(pipe)).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("files that are not files", () => {
  it.each(["reserve", "index.bin", "head", "writer.lock"])(
    "refuses a link where %s should be, and leaves its target alone",
    async (name) => {
      const folder = join(base, `linked-${name}`);
      const memory = await openMemory(folder);
      await memory.remember("One fact.");
      await memory.close();
      const victim = join(base, `victim-${name}`);
      writeFileSync(victim, "precious");
      rmSync(join(folder, name), { force: true });
      symlinkSync(victim, join(folder, name));
      await expect(openMemory(folder)).rejects.toMatchObject({ code: "invalid-input" });
      expect(readFileSync(victim, "utf8")).toBe("precious");
    },
  );

  it("refuses a pipe as a memory or as its configuration, at once", async () => {
    const folder = join(base, "piped");
    mkdirSync(folder);
    execFileSync("mkfifo", [join(folder, "memory.db")]);
    await expect(openMemory(folder, { create: false })).rejects.toMatchObject({ code: "invalid-input" });
    execFileSync("mkfifo", [join(folder, "loci.json")]);
    await expect(openModels({ work: "ask", environment: {}, folder })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("not a file"),
    });
  });
});

describe("a full disk", () => {
  const disk = join(base, "disk");
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]).status === 0;
  });
  afterAll(() => {
    if (isMounted) execFileSync("umount", ["-l", disk]);
  });

  it.each([false, true])(
    "can be forgotten on, also without the files beside the log (%s)",
    async (isBare) => {
      if (!isMounted) return expect(process.getuid?.()).not.toBe(0);
      const folder = join(disk, `memory-${isBare}`);
      const memory = await openMemory(folder);
      for (let i = 0; i < 12; i++)
        await memory.write({
          records: Array.from({ length: 20 }, (_, n) => ({
            kind: "caption" as const,
            id: `c${i}-${n}`,
            source: "human" as const,
            text: [`${i} ${n} ${"word ".repeat(800)}`],
            validFromUs: 1,
            validToUs: 2,
          })),
        });
      await memory.close();
      if (isBare)
        for (const end of ["-shm", "-wal"]) rmSync(join(folder, `memory.db${end}`), { force: true });
      rmSync(join(folder, "head"));
      expect(existsSync(join(folder, "reserve"))).toBe(true);
      fillUp(join(disk, "filler"));
      const again = await openMemory(folder, { create: false });
      const picture = join(disk, "picture.png");
      // Opening it without those files took the reserve already.
      if (!isBare) await expect(drawMemory(again, picture)).rejects.toMatchObject({ code: "memory-full" });
      expect(readdirSync(disk).filter((name) => name.startsWith("picture"))).toEqual([]);
      const report = await again.forget(["c0-0", "c0-1"], "room");
      expect(report.forgotten).toHaveLength(2);
      await again.close();
      rmSync(join(disk, "filler"));
      rmSync(folder, { recursive: true });
    },
    60_000,
  );
});

function fillUp(path: string): void {
  const file = openSync(path, "w");
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch {
      // Full for this size.
    }
  }
  closeSync(file);
}

describe("a terminal", () => {
  const HOSTILE =
    "The \u001b]0;PWNED\u0007\u001b[2J\u001b[31mred mug\u009b31m \u202etxt.exe\u202c stands here.";

  it("is shown control characters and turns of direction by number, and right-to-left words by themselves", () => {
    expect(harmless(HOSTILE)).toBe(
      "The \\u{1b}]0;PWNED\\u{7}\\u{1b}[2J\\u{1b}[31mred mug\\u{9b}31m \\u{202e}txt.exe\\u{202c} stands here.",
    );
    expect(harmless("box שלום עולם 123")).toBe("box \u2068שלום עולם\u2069 123");
    expect(harmless("plain\tüñ 北京\nnext")).toBe("plain\tüñ 北京\nnext");
    expect(JSON.parse(harmlessJson(JSON.stringify({ a: HOSTILE })))).toEqual({ a: HOSTILE });
  });

  it("gets nothing raw from records, file names, bad arguments or JSON", () => {
    const folder = join(base, "ansi");
    const runs = [
      loci("remember", HOSTILE, "--memory", folder, "--at", "1,2,3"),
      loci("search", "--text", "mug", "--memory", folder),
      loci("search", "--text", "mug", "--memory", folder, "--json"),
      loci("ask", "Where is the red mug?", "--memory", folder),
      loci("ask", "x", "--memory", join(base, "\u001b[31mno")),
      loci("search", "--kind", "\u001b[31mbad\u202e", "--memory", folder),
      loci("forget", "--id", "\u001b[31mzz", "--reason", "x", "--memory", folder),
    ];
    expect(runs[1]!.out).toContain("red mug");
    for (const { out, err } of runs) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(err).not.toMatch(/unexpected:/);
    }
  }, 120_000);
});
