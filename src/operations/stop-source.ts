import { z } from "zod";
import type { SourceStatus } from "../compose/sources/request.ts";
import { idSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";
import { wholeSources } from "./running-sources.ts";
import { namedStatusSchema, tellSource } from "./sources.ts";

export const stopSource = operation({
  summary: "Stop a source, after the frame that it is at",
  scope: "admin",
  input: z.strictObject({ id: idSchema.describe("as sources gives it") }),
  output: namedStatusSchema,
  lead: "id",
  http: {
    method: "delete",
    path: "/v1/sources/{id}",
    says: "How it ended",
    mayMiss: true,
    repeats: true,
    relies: ["id"],
  },
  run: async (context, { id }): Promise<SourceStatus> => wholeSources(context).stop(id),
  tell: tellSource,
});
