import { z } from "zod";
import { type AuditEntry, auditEntrySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

const MOST = 10_000;
const USUAL = 100;

export const audit = operation({
  summary: "Who forgot or corrected what, newest first",
  scope: "admin",
  changes: false,
  input: z.strictObject({ limit: z.int().min(1).max(MOST).default(USUAL) }),
  output: z.array(auditEntrySchema),
  http: { method: "get", path: "/v1/audit", says: "The latest entries" },
  run: async ({ memory }, { limit = USUAL }): Promise<AuditEntry[]> =>
    (await import("../compose/audit.ts")).readAudit(memory.folder, limit),
});
