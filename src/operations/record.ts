import { z } from "zod";
import { idSchema, type Stored } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** A record as it is stored: the fields of its kind, with its version and the times it was believed. */
export const storedSchema = z.looseObject({ kind: z.string(), id: z.string() }).meta({ id: "Record" });

export const record = operation({
  summary: "One record as it is believed now",
  scope: "read",
  input: z.strictObject({ id: idSchema }),
  output: storedSchema,
  lead: "id",
  answers: "maybe",
  http: { method: "get", path: "/v1/records/{id}", says: "The record", relies: ["kind", "id"] },
  run: async ({ seen }, { id }): Promise<Stored | undefined> => (await (await seen.reader()).get([id]))[0],
});
