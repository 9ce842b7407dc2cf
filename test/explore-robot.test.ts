import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HouseRobot, startHouseRobot } from "./robot-house.ts";

const BIN = resolve(import.meta.dirname, "../bin/loci.mjs");
const LONG_MS = 240_000;

describe("explore --robot, the command against a robot behind rosbridge", () => {
  let folder: string;
  let sent: HouseRobot;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-explore-robot-"));
    sent = await startHouseRobot(7, 4);
  }, LONG_MS);
  afterAll(async () => {
    await sent?.robot.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The robot lives in this process, so the command must not hold it up. */
  const loci = (...args: string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((done) => {
      const child = spawn(process.execPath, [BIN, ...args, "--memory", folder, "--embedder", "hashing:64"]);
      let [out, err] = ["", ""];
      child.stdout.on("data", (part) => {
        out += part;
      });
      child.stderr.on("data", (part) => {
        err += part;
      });
      child.once("exit", (code) => done({ code, out, err }));
    });
  const robot = () => ["--robot", sent.robot.url.replace("rosbridge:", "ws:")];

  it(
    "drives, learns the floor, ends within its budget, and leaves a run to replay",
    async () => {
      const before = sent.robot.at;
      const ask = ["explore", "--question", "Where is the zebra?", "--budget", "4", "--json"];
      const { code, out, err } = await loci(...ask, ...robot());
      expect(err).not.toContain("Error");
      expect(code).toBe(0);
      const said = JSON.parse(out) as {
        end: string;
        steps: number;
        pathM: Record<string, number>;
        runId: string;
      };
      expect(["budget", "explored", "not-understood", "absent"]).toContain(said.end);
      expect(said.steps).toBeLessThanOrEqual(4);
      expect(said.pathM["robot"]).toBeGreaterThan(0.5);
      expect(Math.hypot(sent.robot.at.x - before.x, sent.robot.at.y - before.y)).toBeGreaterThan(0.1);
      expect(readdirSync(join(folder, "runs"))).toEqual([`${said.runId}.jsonl`]);
      const goals = sent.robot.told.filter(({ op }) => op === "send_action_goal");
      expect(goals.length).toBeGreaterThan(1);
    },
    LONG_MS,
  );

  it(
    "keeps to its fence whatever is asked: not a single goal is sent",
    async () => {
      const goals = () => sent.robot.told.filter(({ op }) => op === "send_action_goal").length;
      const before = goals();
      const elsewhere = ["--fence", "500,500 501,500 501,501"];
      const { code, out } = await loci(
        "navigate",
        "the zebra",
        "--budget",
        "2",
        "--json",
        ...robot(),
        ...elsewhere,
      );
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ pathM: { robot: 0 } });
      expect(goals()).toBe(before);
    },
    LONG_MS,
  );

  it(
    "says in one line what is wrong: a fence that is none, a robot that is not there",
    async () => {
      const bad = await loci("explore", "--question", "x", "--fence", "0,0 1", ...robot());
      expect(bad.code).not.toBe(0);
      expect(bad.err).toMatch(/expected three corners or more/);
      const nonsense = await loci("serve", "--rosbridge", "nonsense", "--port", "0");
      expect(nonsense.code).not.toBe(0);
      expect(nonsense.err).toMatch(/expected rosbridge:\/\/HOST:PORT, got "nonsense"/);
      expect(nonsense.err).not.toContain("building");
      const gone = await loci("explore", "--question", "Where is the cup?", "--robot", "ws://127.0.0.1:9");
      expect(gone.code).not.toBe(0);
      expect(gone.err.trim().split("\n").at(-1)).toMatch(
        /expected a rosbridge server at ws:\/\/127\.0\.0\.1:9/,
      );
    },
    LONG_MS,
  );
});
