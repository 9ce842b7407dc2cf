import { z } from "zod";
import type { MemoryStats } from "../memory/port.ts";
import { operation } from "./operation.ts";

export const stats = operation({
  summary: "Counts of what the caller can see",
  scope: "read",
  input: z.strictObject({}),
  output: z.looseObject({ records: z.record(z.string(), z.int()) }),
  http: { method: "get", path: "/v1/stats", says: "Counts and times" },
  run: ({ counts }): Promise<MemoryStats> => counts(),
});
