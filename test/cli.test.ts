import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import type { Terminal } from "../src/interfaces/cli/terminal.ts";
import { loci as command } from "./command-line.ts";

const BIN = join(import.meta.dirname, "../bin/loci.mjs");
const base = mkdtempSync(join(tmpdir(), "loci-cli-"));
const memory = join(base, "memory");
afterAll(() => rmSync(base, { recursive: true, force: true }));

const ENV = { LOCI_MEMORY: memory, LOCI_EMBEDDER: "hashing:64" };

/** The real process, as a user starts it. */
async function started(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, ...ENV };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, ...args], { env });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** The same without starting Node, which takes a second of work: the first test shows that both find the same. */
const loci = (...args: string[]) => command(args, { env: ENV });
const json = async (...args: string[]) => JSON.parse((await loci(...args, "--json")).out);

describe("the command line", () => {
  it("remembers, finds by every key, counts, copies, compares and forgets", async () => {
    const written = await started(
      "remember",
      "The red mug is on the kitchen table. It is full.",
      "--at",
      "1,2,0.8",
      "--time",
      "2026-01-05T09:00:00Z",
      "--json",
    );
    const mug = JSON.parse(written.out);
    expect(mug.text).toEqual(["The red mug is on the kitchen table.", "It is full."]);
    await json(
      "remember",
      "A parcel stands by the front door",
      "--at",
      "9,0,0",
      "--time",
      "2026-01-06T09:00:00Z",
      "--author",
      "bert",
    );
    await json("remember", "the diary is in the drawer", "--labels", "private");

    const ids = async (...args: string[]) =>
      (await json("search", ...args)).hits.map((hit: { record: { id: string } }) => hit.record.id);
    expect((await ids("--text", "red mug"))[0]).toBe(mug.id);
    expect(await ids("--near", "1,2,0", "--within", "3")).toEqual([mug.id]);
    expect(await ids("--during", "2026-01-05T00:00Z..2026-01-06T00:00Z")).toEqual([mug.id]);
    expect(await ids("--as-of", "2020-01-01T00:00Z")).toEqual([]);
    expect(await ids("--labels", "nothing")).toHaveLength(2);
    expect(await ids()).toHaveLength(3);
    const search = ["search", "--text", "red mug", "--json"];
    expect(await started(...search)).toEqual(await loci(...search));

    expect(await json("stats")).toMatchObject({
      captions: 3,
      frames: 0,
      detections: 0,
      tracks: 0,
      states: 0,
      views: 0,
    });
    const file = join(base, "export.jsonl");
    expect((await loci("export", file)).code).toBe(0);
    const copy = join(base, "copy");
    expect((await loci("import", file, "--memory", copy)).code).toBe(0);
    expect(await json("verify", "--against", copy)).toMatchObject({ ok: true, equal: true, problems: [] });
    const again = ["import", file, "--memory", copy];
    const refused = await started(...again);
    expect(refused.err).toMatch(/\[memory-exists\]\n$/);
    expect(refused).toEqual(await loci(...again));

    expect(
      (await json("forget", "--text", "parcel", "--all", "--dry-run", "--reason", "x")).wouldForget,
    ).toHaveLength(1);
    const report = await json("forget", "--text", "parcel", "--all", "--reason", "moved out");
    expect(report).toMatchObject({ forgotten: [{ kind: "caption", versions: 1 }], texts: 1, vectors: 1 });
    expect(readFileSync(join(memory, "memory.db")).includes("parcel")).toBe(false);
    expect(await json("verify", "--against", copy)).toMatchObject({ ok: false, equal: false });
    expect((await started("verify", "--against", copy)).code).toBe(1);

    expect((await json("reembed", "--to", "hashing:32")).embedded).toBe(3);
    expect((await loci("search", "--text", "mug")).err).toMatch(/\[embedder-mismatch\]\n$/);
    expect((await loci("search", "--text", "mug", "--embedder", "hashing:32")).out).toContain("red mug");
    expect((await loci("backup", join(base, "backup"))).code).toBe(0);
    expect(await json("verify", "--against", join(base, "backup"))).toMatchObject({ equal: true });
  }, 120_000);

  it.each([
    [["search", "--memory", join(base, "nowhere")], /memory-not-found/],
    [["search", "--near", "1,2"], /expected x,y,z/],
    [["search", "--within", "3"], /--within needs --near/],
    [["search", "--kind", "ghost"], /"ghost" is none of/],
    [["search", "--during", "now..-1h"], /ends before it starts/],
    [["search", "--limit", "0"], /whole number from 1/],
    [["search", "--limit", "99999999"], /\[invalid-input\]/],
    [["remember", ""], /no text/],
    [["remember", "x", "--at", "0,0,Infinity"], /expected x,y,z/],
    [["remember", "x", "--at", "0,0,1e12", "--memory", join(base, "fresh")], /\[invalid-input\]/],
    [["remember", "x", "--time", "yesterday-ish"], /expected a time/],
    [["remember", "x", "--embedder", "magic"], /unknown embedder "magic"/],
    [["forget", "--reason", "x"], /forget takes --id/],
    [["forget", "--id", "ghost", "--reason", "x"], /\[unknown-id\]/],
    [["import", join(base, "none.jsonl")], /no such file/],
    [["export", join(base, "no", "folder", "x.jsonl")], /no such file or folder/],
    [
      ["simulate", "castle", "--out", join(base, "sim")],
      /expected one of house, warehouse, campus, got "castle"/,
    ],
    [["simulate", "house", "--agents", "0", "--out", join(base, "sim")], /at least 1 agent/],
    [["simulate", "house", "--minutes", "-1", "--out", join(base, "sim")], /more than 0 minutes/],
    [["simulate", "house", "--size", "big", "--out", join(base, "sim")], /a size such as 160x120/],
    [["simulate", "house", "--out", "/proc/nowhere/sim"], /expected a folder that can be written/],
    [["simulate", "house"], /needs --out/],
    [["bench", "memory", "--n", "0"], /whole number from 1/],
    [["eval", "encoder"], /needs --data/],
    [["eval", "tracking", "--seeds", "5-1"], /--seeds expects/],
    [["eval", "active", "--policy", "nonsense"], /--policy expects some of memory, .*got "nonsense"/],
    [["eval", "encoder", "--data", join(base, "none")], /cannot be read/],
    [["eval", "goat", "--data", join(base, "none.json")], /there is no file or folder/],
    [["serve", "--host", "0.0.0.0", "--memory", join(base, "unmade")], /no tokens/],
    [["goal", "kitchen", "--scene", "attic"], /knows no place \(scene\) "attic"/],
    [["export", join(base, "x.geojson"), "--scene", "attic"], /knows no place \(scene\) "attic"/],
    [["things", "--room", "attic"], /there is no room "attic"/],
    [["picture", join(base, "x.svg"), "--layers", "foo"], /expected layers/],
    [["explore", "--seed", "nonsense", "--question", "Where?"], /expected a whole number/],
    [["frobnicate"], /unknown command/],
    [["stats", "--frobnicate"], /unknown option/],
  ])("answers %j with one clear line and a non-zero exit", async (args, expected) => {
    const { code, out, err } = await loci(...args);
    expect(err).toMatch(expected);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).not.toContain("    at ");
    expect(code).not.toBe(0);
    expect(out).toBe("");
  });

  it("refuses a broken import and leaves nothing", async () => {
    const file = join(base, "broken.jsonl");
    writeFileSync(
      file,
      `${JSON.stringify({ type: "memory", format: 1, embedder: null, imageEmbedder: null, calibrations: [] })}\nnot json\n`,
    );
    const { code, err } = await started("import", file, "--memory", join(base, "broken"));
    expect(err).toMatch(/broken\.jsonl: line 2.*\[invalid-input\]\n$/);
    expect(existsSync(join(base, "broken"))).toBe(false);
    expect(code).toBe(1);
  });

  it("writes a simulated recording with its truth apart, once", async () => {
    const out = join(base, "recording");
    const args = [
      "simulate",
      "house",
      "--seed",
      "3",
      "--minutes",
      "0.05",
      "--size",
      "32x24",
      "--noise",
      "0.5",
      "--out",
      out,
    ];
    expect(JSON.parse((await started(...args, "--json")).out)).toMatchObject({ out, frames: 3, agents: 1 });
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(["truth.json", "camera-intrinsics.txt", "frame-000000.color.png"]),
    );
    expect((await loci(...args)).err).toMatch(/new or empty folder/);
    expect(readdirSync(base).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("takes a recording in, answers questions about it, draws it and keeps it within limits", async () => {
    const recording = join(base, "tour");
    const own = ["--memory", join(base, "tour-memory"), "--embedder", "loci"];
    await json("simulate", "house", "--seed", "7", "--minutes", "0.5", "--fps", "1", "--out", recording);
    const summary = await json("ingest", recording, ...own);
    expect(summary).toMatchObject({ frames: 30, written: 30, skipped: {} });
    expect(await json("stats", ...own)).toMatchObject({
      frames: 30,
      tracks: summary.tracks,
      detections: summary.detections,
    });

    const answer = await json("ask", "Where is the door?", ...own);
    expect(answer).toMatchObject({
      question: "Where is the door?",
      type: "position",
      askedAtUs: expect.any(Number),
    });
    expect(answer.evidence[0].ref).toMatch(/^state-/);
    const spoken = await loci("ask", "Where is the door?", "--explain", ...own);
    expect(spoken.out).toMatch(/understood as place\(the\(things\(category: "door"\)\)\)/);
    expect(await json("ask", "Is there a giraffe?", ...own)).toMatchObject({ type: "binary", binary: false });
    expect((await loci("ask", "", ...own)).err).toMatch(/invalid-input/);

    const questions = join(base, "questions.txt");
    writeFileSync(questions, "Where is the door?\n\nHow many rooms are there?\n");
    const lines = (await loci("ask", "--questions", questions, "--json", ...own)).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["position", "count"]);
    const piped = await loci("ask", "--questions", questions, ...own);
    expect(piped.out.trim().split("\n")).toHaveLength(2);
    expect(piped.out).not.toContain("\u001b");
    expect((await loci("ask", "--questions", join(base, "none.txt"), ...own)).err).toMatch(/invalid-input/);

    const counted = await json("ask", "--expression", "count(rooms())", ...own);
    expect(counted).toMatchObject({ type: "count", count: JSON.parse(lines[1]!).count });
    const file = join(base, "expression.json");
    writeFileSync(file, JSON.stringify({ op: "count", of: [{ op: "rooms" }] }));
    expect((await json("ask", "--expression", file, ...own)).count).toBe(counted.count);
    expect((await loci("ask", "--expression", "fly(rooms())", ...own)).err).toMatch(/no operator fly/);

    const rooms = await json("rooms", ...own);
    expect(rooms.rows).toHaveLength(counted.count);
    const there = await json("things", "--room", rooms.rows[0].name, ...own);
    expect(there.rows.length).toBeGreaterThan(0);
    expect((await loci("things", "--kind", "window", ...own)).out).toMatch(/^kind +name +room/);
    expect((await json("changes", "--since", "2020-01-01T00:00Z", ...own)).expression).toMatch(
      /^at\(changes/,
    );
    expect((await json("people", ...own)).expression).toBe('things(category: "person")');
    expect((await loci("route", rooms.rows[0].name, ...own)).out).not.toBe("");

    const drawing = join(base, "tour.svg");
    expect((await json("picture", drawing, ...own)).bytes).toBeGreaterThan(5_000);
    expect(readFileSync(drawing, "utf8")).toMatch(/^<svg/);
    expect((await loci("picture", join(base, "tour.gif"), ...own)).err).toMatch(/invalid-input/);
    expect((await loci("ingest", join(base, "nothing"), ...own)).code).not.toBe(0);
    expect((await loci("retain", ...own)).err).toMatch(/--max-bytes/);
    expect((await json("retain", "--max-age", "0.00001", ...own)).forgotten).toBeGreaterThan(0);
    expect((await json("verify", ...own)).problems).toEqual([]);
  }, 120_000);

  it("says that it will simulate weeks before it does", async () => {
    const { run } = await import("../src/interfaces/cli/commands/eval.ts");
    const notes: string[] = [];
    const stopped = AbortSignal.abort();
    const terminal = { signal: stopped, note: (line: string) => notes.push(line), progress: () => {} };
    await expect(run({ seeds: "2" }, terminal as unknown as Terminal, "habits")).rejects.toThrow("aborted");
    expect(notes.join()).toMatch(/2 households .* seven days each/);
  });
});
