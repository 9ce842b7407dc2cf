import { z } from "zod";
import { retainWithin } from "../compose/upkeep.ts";
import type { RetentionReport } from "../memory/retention/index.ts";
import { LociError, retainSchema } from "../schema/index.ts";
import { liveFramesOf } from "./frames.ts";
import { operation } from "./operation.ts";

export type Retained = Omit<RetentionReport, "plans">;

const DAY_US = 86_400_000_000;
/** A memory of gigabytes takes minutes. */
const TIMEOUT_MS = 3_600_000;

export const retain = operation({
  summary:
    "Give up the least valuable records until the memory is within limits; reading and taking in go on",
  scope: "admin",
  input: retainSchema,
  output: z.object({
    bytesBefore: z.int(),
    bytesAfter: z.int(),
    isWithinBudget: z.boolean(),
    merged: z.int(),
    forgotten: z.int(),
    rounds: z.int(),
  }),
  http: { method: "post", path: "/v1/retain", says: "What went", timeoutMs: TIMEOUT_MS },
  run: async ({ memory, actor }, { maxBytes, maxAgeDays, nowUs }): Promise<Retained> => {
    if (actor.labels !== "*")
      throw new LociError("access-denied", "retention is for those who hold every label");
    const ageUs = maxAgeDays === undefined ? undefined : Math.round(maxAgeDays * DAY_US);
    const frames = await liveFramesOf(memory);
    const { plans: _plans, ...report } = await frames.quietly(() =>
      retainWithin(memory, {
        nowUs,
        ...(maxBytes !== undefined && { maxBytes }),
        ...(ageUs !== undefined && {
          maxAgeUs: { detection: ageUs, observation: ageUs, caption: ageUs, view: ageUs },
        }),
      }),
    );
    return report;
  },
});
