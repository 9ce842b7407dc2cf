import { goalIn, placeIn, pointFrom } from "../compose/asked-map.ts";
import { type Goal, goalQuerySchema, goalSchema } from "../schema/index.ts";
import { mapIn, scopeIn } from "./going.ts";
import { operation } from "./operation.ts";

export const goal = operation({
  summary: "Where a robot has to stand to see a thing, or in a room",
  scope: "read",
  cost: "question",
  input: goalQuerySchema,
  output: goalSchema,
  http: { method: "post", path: "/v1/goal", says: "The goal", mayMiss: true },
  run: async ({ seen }, { staleAfterS, from, to, ...going }, call): Promise<Goal> => {
    const { goalFor } = await import("../reasoning/accounts/index.ts");
    const asked = await mapIn(seen, going);
    const scope = await scopeIn(seen, going, call);
    const between = { from: from && pointFrom(asked, from), to: pointFrom(asked, to) };
    const { goal, to: end, ...found } = await goalFor(between, scope);
    const told = { ...found, to: placeIn(asked, end) };
    if (goal === null) return { ...told, goal };
    const { evidencedGoal, rosGoal } = await import("../compose/told-goal.ts");
    const { nowUs } = scope.memory;
    const context = { asked, sceneId: going.scene, nowUs, map: scope.map, staleAfterS };
    const known = goalIn(await evidencedGoal(goal, context), asked);
    return { ...told, goal: known, ros: await rosGoal(known, context, going.agent ?? found.agent) };
  },
});
