import { type SourceStatus, sourceRequestSchema } from "../compose/sources/request.ts";
import { operation } from "./operation.ts";
import { wholeSources } from "./running-sources.ts";
import { namedStatusSchema, tellSource } from "./sources.ts";

export const startSource = operation({
  summary: "Begin to take a robot or a recording in; the same again changes nothing",
  scope: "admin",
  input: sourceRequestSchema,
  output: namedStatusSchema,
  http: { method: "post", path: "/v1/sources", says: "It has begun", repeats: true, relies: ["id"] },
  run: async (context, request): Promise<SourceStatus> => wholeSources(context).start(request),
  tell: tellSource,
});
