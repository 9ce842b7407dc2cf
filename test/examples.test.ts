import { execFile, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../examples");

/** What each example must have printed, so that it is seen to do what the README says of it. */
const PRINTS: Record<string, RegExp[]> = {
  "quick-start.ts": [
    /^The red mug stands on the kitchen table\. \{ x: 2\.1, y: 1\.4, z: 0\.8 \}/,
    /known at the epoch: 0/,
  ],
  "moved-object.ts": [
    /last seen 2026-03-02T08:05/,
    /looked for in vain 2026-03-02T08:30/,
    /there now: 0/,
    /there at 08:10: 1/,
    /before the robot looked: 1/,
    /x by the corrected map 2\.5 and by the old one 2\n/,
  ],
  "record-a-robot.ts": [
    /^a red mug at 4\.0 0\.3 0\.8\nlamp at 5\.0 -1\.0 1\.2\n/,
    /seen 5 times by rob1, there now: true/,
    /looks that were kept: 5\n/,
  ],
  "ask.ts": [
    /^in the office\nbecause of: \[ 'mug-2' \]/,
    /at 08:30: in the kitchen/,
    /when: .*09:00/,
    /not-seen I have not seen a unicorn/,
  ],
  "mcp-agent.ts": [
    /^tools: (?:\w+ ){11}\w+\n/,
    /Remembered "The spare key/,
    /1 hit, best first\.\n1\. "The spare key hangs behind the door\."/,
    /error: there is no record "nothing" \[unknown-id\]/,
  ],
  "several-robots.ts": [
    /^b heard: \[ 'The lift is out of order\.' \] from rob-a/,
    /captions: 101/,
    /found by b: A checked door 7\./,
  ],
  "warehouse-inventory.ts": [
    /^[A-D]-\d\d-[123] [A-Z]{2}-\d{3}\n/,
    /read: \d{2,} boxes, \d{2,} slots; empty: \d+/,
    /Where is [A-Z]{2}-\d{3}\? .+/,
  ],
  "campus-inspection.ts": [
    /^lamps: [1-9]\d* benches: [1-9]\d*\n/,
    /tour of [1-9]\d* stops, [1-9]\d* m\n/,
    /When was [A-Z ]+ passed\? .*\d\d:\d\d/,
  ],
  "own-embedder.ts": [
    /^an empty tote: A K7 stands at gate 3\./,
    /charger: The Ladestation is/,
    /another model: embedder-mismatch/,
  ],
};

it("every example has its test", () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .sort(),
  ).toEqual(Object.keys(PRINTS).sort());
});

it.each(Object.keys(PRINTS))(
  "%s runs and says what it should",
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)]);
    for (const line of PRINTS[name]!) expect(stdout).toMatch(line);
  },
  60_000,
);

const python = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
const missing = python.status === 0 ? "" : " (skipped: no python3 of 3.9 or newer here)";

/** Half a minute of it is the server's wait for the end of the robot's round. */
it.skipIf(missing)(
  `home-robot.py goes from frames to a goal for Nav2${missing}`,
  async () => {
    const { stdout } = await promisify(execFile)("python3", [join(folder, "home-robot.py")], {
      env: { ...process.env, LOCI_NODE: process.execPath },
    });
    expect(stdout).toMatch(/^things: \d{2} of frames: 45\nWhere is the bathtub\? in the bathroom/);
    const [, goal] = /navigate to pose: (.+)\n$/.exec(stdout) ?? [];
    const { position, orientation } = (JSON.parse(goal!) as Navigate).pose.pose;
    const thing = JSON.parse(/\nit is at: (.+)\n/.exec(stdout)![1]!) as Point;
    const [dx, dy] = [thing.x - position.x, thing.y - position.y];
    // On the floor, near enough to see it, and turned to it: cos of the angle between.
    expect(Math.abs(position.z)).toBeLessThan(0.2);
    expect(Math.hypot(dx, dy)).toBeLessThan(4);
    const yawRad = 2 * Math.atan2(orientation.z, orientation.w);
    expect((dx * Math.cos(yawRad) + dy * Math.sin(yawRad)) / Math.hypot(dx, dy)).toBeGreaterThan(0.85);
  },
  240_000,
);

interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Navigate {
  readonly pose: {
    readonly pose: {
      readonly position: Point;
      readonly orientation: { readonly z: number; readonly w: number };
    };
  };
}
