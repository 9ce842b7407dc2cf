import { pointFrom, routeIn } from "../compose/asked-map.ts";
import { type Route, routeQuerySchema, routeSchema } from "../schema/index.ts";
import { mapIn, scopeIn } from "./going.ts";
import { operation } from "./operation.ts";

export const route = operation({
  summary: "The way to a point, a record or what words mean, as a line with rooms and doors",
  scope: "read",
  cost: "question",
  input: routeQuerySchema,
  output: routeSchema,
  http: {
    method: "post",
    path: "/v1/route",
    says: "The way",
    mayMiss: true,
    relies: ["points", "rooms"],
  },
  run: async ({ seen }, { from, to, ...going }, call): Promise<Route> => {
    const { routeBetween } = await import("../reasoning/accounts/index.ts");
    const asked = await mapIn(seen, going);
    const between = { from: from && pointFrom(asked, from), to: pointFrom(asked, to) };
    return routeIn(asked, await routeBetween(between, await scopeIn(seen, going, call)));
  },
});
