import type { Commit } from "../memory/port.ts";
import { commitSchema, LociError, mapInTurns, type WriteInput, writeSchema } from "../schema/index.ts";
import { defined, stampOf } from "./context.ts";
import { operation } from "./operation.ts";

export const write = operation({
  summary: "One atomic write of records, sightings and frames of the map",
  scope: "write",
  input: writeSchema,
  output: commitSchema,
  http: {
    method: "post",
    path: "/v1/records",
    says: "It is on the disk",
    repeats: ({ sightings = [] }: WriteInput) => sightings.length === 0,
    relies: ["commitUs"],
  },
  run: async (context, batch, call): Promise<Commit> => {
    const { memory, actor } = context;
    if (actor.labels !== "*")
      throw new LociError(
        "access-denied",
        "records as they are stored are written by whoever holds every label; send facts, captions, detections or frames",
      );
    const stamp = stampOf(context);
    const records =
      batch.records &&
      (await mapInTurns(
        batch.records,
        (record) => ({
          ...record,
          ...defined({ sceneId: stamp.scene, author: stamp.author }),
          labels: stamp.labels(record.labels),
        }),
        actor.grant,
      ));
    const sightings =
      batch.sightings &&
      (await mapInTurns(
        batch.sightings,
        (sighting) => ({
          ...sighting,
          ...defined({ agentId: stamp.author }),
          labels: stamp.labels(sighting.labels),
        }),
        actor.grant,
      ));
    return memory.write({ ...defined({ records, sightings, frames: batch.frames }) }, call);
  },
});
