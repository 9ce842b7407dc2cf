import { describe, expect, it } from "vitest";
import { centreOf, distance, vec3 } from "../../geometry/index.ts";
import { KnownScene } from "../testing/known-scene.ts";
import { drifted, look, thing } from "../testing/toy-room.ts";
import { alignFrame } from "./align-frame.ts";

const THINGS = [
  thing("a", "chair", [2, -0.8, 0.4], [0.5, 0.5, 0.8], { colour: "red" }),
  thing("b", "lamp", [2.4, 0, 0.6], [0.3, 0.3, 1.2], { colour: "red" }),
  thing("c", "box", [2, 0.9, 0.3], [0.6, 0.6, 0.6], { colour: "red" }),
  thing("d", "stool", [3, 0.6, 0.3], [0.4, 0.4, 0.6], { colour: "red" }),
];

async function aligned(known: KnownScene, submap: string, dx: number) {
  const percept = look({
    timeS: 10,
    from: vec3(-0.5, 0, 1.2),
    at: vec3(2.4, 0, 0.4),
    things: THINGS,
    submap,
    worldFromSubmap: drifted(dx, 0),
  });
  return alignFrame(known.scene, percept, () => true);
}

function knowing(): KnownScene {
  const known = new KnownScene();
  for (const { id, category, centre, extent } of THINGS)
    known.thing(id, category, [centre.x, centre.y, centre.z], [extent.x, extent.y, extent.z]);
  return known;
}

describe("alignFrame", () => {
  it("finds who is who in a frame whose submap lies where it should", async () => {
    const { matched } = await aligned(knowing(), "world", 0);
    expect(matched.map((one) => one?.stateId)).toEqual(THINGS.map(({ id }) => `state-${id}`));
  });

  it("takes the drift of a new submap out by the things that an older one knows", async () => {
    const known = knowing();
    const { matched, candidates } = await aligned(known, "later", 0.35);
    expect(matched.filter((one) => one !== undefined)).toHaveLength(THINGS.length);
    for (const [row, { solid }] of candidates.entries())
      expect(distance(centreOf(solid.box), matched[row]!.centre)).toBeLessThan(0.3);
  });

  it("takes no short way for a jump: two of three things were moved a little, and nothing has drifted", async () => {
    const known = new KnownScene();
    const movedM: Readonly<Record<string, number>> = { a: 0.14, c: 0.06, d: 0.14 };
    for (const { id, category, centre, extent } of THINGS)
      if (movedM[id] !== undefined)
        known.thing(
          id,
          category,
          [centre.x - movedM[id], centre.y, centre.z],
          [extent.x, extent.y, extent.z],
        );
    const { worldFromCamera } = await aligned(known, "world", 0);
    expect(worldFromCamera.p.x).toBeCloseTo(-0.5, 6);
  });

  it("jumps by a long drift onto things of which the same is said, not onto the like of the next rack", async () => {
    const jumped = async (colour: string) => {
      const known = new KnownScene();
      for (const { id, category, centre, extent } of THINGS)
        known.thing(id, category, [centre.x - 0.9, centre.y, centre.z], [extent.x, extent.y, extent.z], {
          colour,
          looks: 30,
        });
      const { worldFromCamera } = await aligned(known, "later", 0);
      return worldFromCamera.p.x;
    };
    expect(await jumped("red")).toBeCloseTo(-1.4, 1);
    expect(await jumped("blue")).toBeCloseTo(-0.5, 6);
  });

  it("does not jump for fewer things than fit in the submap already", async () => {
    const xAfter = async (fitting: number) => {
      const known = new KnownScene();
      for (const { id, category, centre, extent } of THINGS)
        known.thing(id, category, [centre.x - 0.9, centre.y, centre.z], [extent.x, extent.y, extent.z]);
      const { places } = known.scene;
      places.enter("robot", "later", drifted(0, 0));
      const pairs = Array.from({ length: fitting }, (_, n) => {
        const at = vec3(n, 5, 0.5);
        return { thingId: `seen-${n}`, pointInSubmap: at, target: at, sdM: 0.05 };
      });
      places.learn("robot", pairs, vec3(0, 0, 1.2), true);
      return (await aligned(known, "later", 0)).worldFromCamera.p.x;
    };
    // Three of the four are seen whole, and vote.
    expect(await xAfter(2)).toBeCloseTo(-1.4, 1);
    expect(await xAfter(3)).toBeCloseTo(-0.5, 1);
  });

  it("leaves a frame of things that nobody knows where it was believed to be", async () => {
    const known = new KnownScene();
    const { matched, worldFromCamera } = await aligned(known, "later", 0.35);
    expect(matched.every((one) => one === undefined)).toBe(true);
    expect(worldFromCamera.p.x).toBeCloseTo(-0.15, 6);
  });
});
