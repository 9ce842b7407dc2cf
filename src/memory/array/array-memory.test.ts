import { describe, expect, it } from "vitest";
import { fromYaw } from "../../geometry/index.ts";
import { at, DIM, record, rigOf, vectorOf } from "../testing/contract/fixtures.ts";
import { engineContract } from "../testing/contract/suite.ts";
import { ArrayMemory } from "./array-memory.ts";

engineContract("array", async () => {
  const engine = new ArrayMemory();
  return { engine, cleanUp: () => engine.close() };
});

/** The numbers below were worked out by hand (or by a pocket calculator), not by running the code. */
describe("golden cases of the oracle", () => {
  const rig = async () => {
    const engine = new ArrayMemory();
    return rigOf({ engine, cleanUp: () => engine.close() });
  };
  const axis = (i: number): Float32Array => new Float32Array(DIM).with(i, 1);

  it("BM25", async () => {
    const { put, reader } = await rig();
    await put([
      record("caption", "a", { text: ["red mug"] }),
      record("caption", "b", { text: ["red", "chair red"] }),
      record("caption", "c", { text: ["blue sofa big"] }),
      record("caption", "d", { text: ["!"] }),
    ]);
    const { hits } = await reader.search({ meaning: { words: "red mug red" } });
    // N = 3 with words, mean length 8/3; idf(red) = ln 1.6, idf(mug) = ln 2.6667; k1 = 1.2, b = 0.75.
    // a: ln 1.6 · 2.2 / 1.975 + ln 2.6667 · 2.2 / 1.975; b: ln 1.6 · 4.4 / 3.3125.
    expect(hits.map((hit) => hit.record.id)).toEqual(["a", "b"]);
    expect(hits[0]!.score).toBeCloseTo(1.6161176, 6);
    expect(hits[1]!.score).toBeCloseTo(0.624307, 6);
  });

  it("fusion by standard scores", async () => {
    const { writer, reader } = await rig();
    await writer.write({
      records: [
        record("caption", "a", { text: ["red mug"] }),
        record("caption", "b", { text: ["mug"] }),
        record("caption", "c", { text: ["sofa"] }),
      ],
      vectors: [
        { text: "red mug", vector: axis(1) },
        { text: "mug", vector: axis(2) },
        { text: "sofa", vector: axis(0) },
      ],
    });
    const { hits } = await reader.search({ meaning: { vector: axis(0), words: "mug" } });
    // Vector: c is 1, a and b are 0: mean 1/3, deviation √2/3. Words: b is shorter, so b .523549, a .390193, c 0.
    // Fused: c .7 · √2 − .3 · 1.371; b .3 · 0.986 − .7 · √½; a .3 · 0.385 − .7 · √½.
    expect(hits.map((hit) => hit.record.id)).toEqual(["c", "b", "a"]);
    expect(hits[0]!.score).toBeCloseTo(0.578624, 5);
    expect(hits[1]!.score).toBeCloseTo(-0.199265, 5);
    expect(hits[2]!.score).toBeCloseTo(-0.379359, 5);
  });

  it("distances to boxes and centres, in turned submaps", async () => {
    const { put, reader } = await rig();
    const turned = {
      parent: "world",
      child: "m",
      transform: { p: { x: 10, y: 0, z: 0 }, q: fromYaw(Math.PI / 2) },
    };
    await put(
      [
        record("caption", "box", { ...at(5, 6), extent: { x: 4, y: 4, z: 0 } }),
        record("caption", "turned", { ...at(1, 2, 0, "m"), extent: { x: 2, y: 6, z: 0 } }),
      ],
      { frames: [turned] },
    );
    const origin = { x: 0, y: 0, z: 0 };
    const byBox = await reader.search({ space: { type: "nearest", point: origin } });
    // The corner (3, 4) is 5 away. The turned one is centred on (8, 1) and reaches 3 along x and 1 along y.
    expect(byBox.hits.map((hit) => [hit.record.id, Number(hit.score.toFixed(9))])).toEqual([
      ["box", 5],
      ["turned", 5],
    ]);
    expect(byBox.hits[1]!.position!.x).toBeCloseTo(8, 12);
    expect(byBox.hits[1]!.position!.y).toBeCloseTo(1, 12);
    const byCentre = await reader.search({ space: { type: "nearest", point: origin, metric: "centre" } });
    expect(byCentre.hits.map((hit) => Number(hit.score.toFixed(6)))).toEqual([7.81025, 8.062258]);
  });

  it("calibration", async () => {
    const { writer, reader } = await rig();
    await writer.write({
      records: ["x", "y", "z"].map((line) => record("caption", line, { text: [line] })),
      vectors: [
        { text: "x", vector: axis(0) },
        { text: "y", vector: axis(0) },
        { text: "z", vector: axis(1) },
      ],
    });
    // Pairs: xy 1, xz 0, yz 0.
    const calibration = await writer.calibrate("text");
    expect(calibration).toMatchObject({ embedder: "test-text", pairs: 3 });
    expect(calibration.mean).toBeCloseTo(1 / 3, 12);
    expect(calibration.sd).toBeCloseTo(Math.SQRT2 / 3, 12);
    expect(await reader.count({ meaning: { vector: axis(0), minZ: 1.41 } })).toBe(2);
    expect(await reader.count({ meaning: { vector: axis(0), minZ: 1.42 } })).toBe(0);
    expect(await reader.count({ meaning: { vector: vectorOf("anything"), minZ: -9 } })).toBe(3);
  });
});
