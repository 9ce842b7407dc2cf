import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random, type Vec3 } from "../../geometry/index.ts";
import type { Stand } from "../../sensors/index.ts";
import {
  FOLLOW_LIMITS,
  type Followed,
  type Velocity,
  WaypointFollower,
  wrapped,
} from "./waypoint-follower.ts";

const STEP_S = 0.05;
const point = (x: number, y: number): Vec3 => ({ x, y, z: 0 });
const everywhere = () => true;

interface Trace {
  readonly stands: readonly Stand[];
  readonly commands: readonly Velocity[];
  readonly state: Followed["state"];
}

/**
 * A differential-drive robot: commands arrive two steps late, its wheels respond with a lag of 0.1 s and slip a
 * little. Drives until the follower is done, or for a minute.
 */
function drive(
  follower: WaypointFollower,
  start: Stand,
  isFree: (at: Vec3) => boolean = everywhere,
  random = new Random(7),
): Trace {
  let { x, y } = start.positionInWorld;
  let { yawRad } = start;
  let [forward, turn] = [0, 0];
  const late: Velocity[] = [
    { forwardMps: 0, turnRadps: 0 },
    { forwardMps: 0, turnRadps: 0 },
  ];
  const stands: Stand[] = [];
  const commands: Velocity[] = [];
  for (let n = 0; n < 60 / STEP_S; n++) {
    const stand = { positionInWorld: point(x, y), yawRad };
    stands.push(stand);
    const { velocity, state } = follower.step(stand, STEP_S, isFree);
    commands.push(velocity);
    if (state !== "driving" && forward < 1e-3 && Math.abs(turn) < 1e-3) return { stands, commands, state };
    late.push(velocity);
    const heard = late.shift()!;
    forward += (heard.forwardMps - forward) * (STEP_S / 0.1);
    turn += (heard.turnRadps - turn) * (STEP_S / 0.1);
    const slip = 1 + 0.05 * (random.next() - 0.5);
    x += Math.cos(yawRad) * forward * slip * STEP_S;
    y += Math.sin(yawRad) * forward * slip * STEP_S;
    yawRad += turn * slip * STEP_S;
  }
  return { stands, commands, state: "driving" };
}

const apart = (a: Vec3, b: Vec3) => Math.hypot(a.x - b.x, a.y - b.y);

describe("a follower of waypoints", () => {
  it("comes to the end of any way and faces as told, within its limits all along", () => {
    const corner = fc.record({
      x: fc.double({ min: -4, max: 4, noNaN: true }),
      y: fc.double({ min: -4, max: 4, noNaN: true }),
    });
    const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(corner, { minLength: 1, maxLength: 3 }),
        angle,
        angle,
        (corners, startYaw, endYaw) => {
          const way = [point(0, 0), ...corners.map(({ x, y }) => point(x, y))];
          const follower = new WaypointFollower(way, endYaw);
          const { stands, commands, state } = drive(follower, { positionInWorld: way[0]!, yawRad: startYaw });
          const end = stands.at(-1)!;
          expect(state).toBe("arrived");
          expect(apart(end.positionInWorld, way.at(-1)!)).toBeLessThan(0.2);
          expect(Math.abs(wrapped(end.yawRad - endYaw))).toBeLessThan(0.15);
          let last: Velocity = { forwardMps: 0, turnRadps: 0 };
          for (const { forwardMps, turnRadps } of commands) {
            expect(forwardMps).toBeGreaterThanOrEqual(0);
            expect(forwardMps).toBeLessThanOrEqual(FOLLOW_LIMITS.speedMps);
            expect(Math.abs(turnRadps)).toBeLessThanOrEqual(FOLLOW_LIMITS.turnRadps);
            expect(Math.abs(forwardMps - last.forwardMps)).toBeLessThanOrEqual(
              FOLLOW_LIMITS.accelerationMps2 * STEP_S + 1e-9,
            );
            last = { forwardMps, turnRadps };
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("stays close to a way with corners", () => {
    const way = [point(0, 0), point(3, 0), point(3, 3), point(0, 3)];
    const { stands, state } = drive(new WaypointFollower(way, 0), { positionInWorld: way[0]!, yawRad: 0 });
    expect(state).toBe("arrived");
    const away = stands.map(({ positionInWorld: at }) =>
      Math.min(...way.slice(1).map((b, i) => distanceToSegment(at, way[i]!, b))),
    );
    expect(Math.max(...away)).toBeLessThan(0.3);
  });

  it("stands before what the map says is in its way, whenever that appears, and never enters it", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.6, max: 3, noNaN: true }),
        fc.integer({ min: 0, max: 80 }),
        (wallX, sinceStep) => {
          let step = 0;
          // An obstacle that appears within the braking distance cannot be avoided; this one is 0.9 m away.
          let appearsAt = wallX;
          const isFree = (at: Vec3) => step < sinceStep || at.x < appearsAt;
          const way = [point(0, 0), point(5, 0)];
          const follower = new WaypointFollower(way, 0);
          const { stands, state } = drive(
            {
              step: (stand, seconds, free) => {
                if (step++ === sinceStep) appearsAt = Math.max(wallX, stand.positionInWorld.x + 0.9);
                return follower.step(stand, seconds, free);
              },
            } as WaypointFollower,
            { positionInWorld: way[0]!, yawRad: 0 },
            isFree,
          );
          if (appearsAt >= 5) return;
          expect(state).toBe("blocked");
          const farthest = Math.max(...stands.map(({ positionInWorld }) => positionInWorld.x));
          expect(farthest).toBeLessThan(appearsAt);
          expect(farthest).toBeGreaterThan(appearsAt - 0.6);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("goes on when the way is free again", () => {
    let isOpen = false;
    const way = [point(0, 0), point(3, 0)];
    const follower = new WaypointFollower(way, 0);
    const isFree = (at: Vec3) => isOpen || at.x < 1.5;
    const first = drive(follower, { positionInWorld: way[0]!, yawRad: 0 }, isFree);
    expect(first.state).toBe("blocked");
    isOpen = true;
    const second = drive(follower, first.stands.at(-1)!, isFree);
    expect(second.state).toBe("arrived");
  });

  it("stops when it was carried off its way", () => {
    const follower = new WaypointFollower([point(0, 0), point(3, 0)], 0);
    const at = { positionInWorld: point(0.2, 1.5), yawRad: 0 };
    expect(follower.step(at, STEP_S, everywhere).state).toBe("off-way");
  });
});

function distanceToSegment(at: Vec3, a: Vec3, b: Vec3): number {
  const squared = apart(a, b) ** 2;
  const share = ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / squared;
  const t = Math.min(Math.max(share, 0), 1);
  return apart(at, point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t));
}
