import { contentId, type Fact, factSchema, LociError, type Stored } from "../schema/index.ts";
import { defined, stampOf } from "./context.ts";
import { operation } from "./operation.ts";
import { storedSchema } from "./record.ts";

export const remember = operation({
  summary: "Remember a fact with a place and a time",
  scope: "write",
  input: factSchema,
  output: storedSchema,
  http: {
    method: "post",
    path: "/v1/facts",
    says: "As it is remembered",
    keyField: "key",
    // With an id and a time, sending it twice stores the same fact.
    repeats: ({ id, time }: Fact) => id !== undefined && time !== undefined,
    relies: ["kind", "id"],
  },
  run: async (context, { key, text, at, time, until, scene, ...fact }): Promise<Stored> => {
    const { memory, seen } = context;
    const stamp = stampOf(context);
    if (fact.id !== undefined && stamp.space.length > 0)
      throw new LociError("access-denied", "ids are given by whoever holds every label; give a key instead");
    const id = key === undefined ? fact.id : contentId("fact", ...stamp.space, key);
    // The same key is the same fact, whatever the time is now.
    const known = key === undefined ? undefined : (await (await seen.reader()).get([id!]))[0];
    if (known) return known;
    return memory.remember(text, {
      ...defined({ ...fact, id, at, time, until }),
      ...defined({ sceneId: stamp.scene ?? scene, author: stamp.author ?? fact.author }),
      labels: stamp.labels(fact.labels),
    });
  },
});
