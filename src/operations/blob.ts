import { z } from "zod";
import { blobRefSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** Over HTTP in parts too: `interfaces/http/routes/pictures.ts`. */
export const blob = operation({
  summary: "A picture or other blob by its sha-256",
  scope: "read",
  input: z.strictObject({ ref: blobRefSchema }),
  output: z.any(),
  lead: "ref",
  run: async ({ seen }, { ref }): Promise<Uint8Array | undefined> => (await seen.reader()).blob(ref),
});
