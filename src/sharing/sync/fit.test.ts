import { expect, it } from "vitest";
import { FrameGraph, IDENTITY, type Transform } from "../../geometry/index.ts";
import { frameEdgeSchema, recordSchema } from "../../schema/index.ts";
import { fitBatch, overJoins } from "./fit.ts";

const at = (x: number): Transform => ({ ...IDENTITY, p: { x, y: 0, z: 0 } });
const piece = (x: number, revision: number, kind: "submap" | "alignment" = "submap") => ({
  parent: "robot.map",
  child: "robot.piece",
  transform: at(x),
  stampUs: null,
  kind,
  revision,
});

it("what a robot says of its pieces is later than where a join has laid them, whatever both are numbered", () => {
  const joined = new FrameGraph([piece(0, 0), piece(0.3, 4, "alignment")]);
  const news = overJoins([piece(0.1, 3), piece(0.2, 4)], joined);
  const graph = joined.withEdges(news.map((edge) => frameEdgeSchema.parse(edge)));
  expect(graph.resolve("robot.map", "robot.piece")).toEqual(at(0.2));
  expect(graph.resolve("robot.map", "robot.piece", { revision: 4 })).toEqual(at(0.3));
});

it("what no join has laid is taken as it is numbered", () => {
  const edges = [piece(0.1, 3), { ...piece(0.2, 3), child: "robot.other" }];
  expect(overJoins(edges, new FrameGraph([piece(0, 0)]))).toEqual(edges);
});

it("a sender for one agent brings no looks of others, and people's words of anybody", () => {
  const from = { memory: "robot", atUs: 1 };
  const row = { sceneId: "default", labels: [], text: [], validFromUs: 1, validToUs: null };
  const records = [
    { ...row, kind: "observation", id: "own", author: "robot-1", sensorId: "eye" },
    { ...row, kind: "observation", id: "forged", author: "robot-2", sensorId: "eye" },
    { ...row, kind: "caption", id: "said", author: "anna", source: "human", states: [] },
  ].map((one) => recordSchema.parse(one));
  const known = { nowUs: 1, isForgotten: () => false, head: () => undefined, believed: () => undefined };
  const { records: taken, refused } = fitBatch({ from, records, sightings: [] }, known, { agent: "robot-1" });
  expect(taken.map(({ id }) => id)).toEqual(["own", "said"]);
  expect(refused).toMatchObject([
    { why: expect.stringContaining('speaks for "robot-1"'), row: { id: "forged" } },
  ]);
});
