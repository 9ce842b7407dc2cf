import { fromYaw, type Transform } from "../../geometry/index.ts";
import {
  type Strategy as Preset,
  type RetrieveOptions,
  retrieve,
  STRATEGIES,
} from "../../retrieval/index.ts";
import { LociError } from "../../schema/core.ts";
import { evidenceItems } from "./evidence-items.ts";
import { evidenceStrategy } from "./evidence-strategy.ts";
import type { Answerer, AskedQuestion, Strategy } from "./strategy.ts";

export interface RetrievalStrategyOptions
  extends Pick<RetrieveOptions, "mode" | "k" | "keys" | "role" | "output" | "tokens"> {
  readonly answerer: Answerer;
  /** Its name in reports; default the preset's name. */
  readonly id?: string;
}

/** A retrieval preset by its name, with an answerer behind it: compares retrieval methods. */
export function retrievalStrategy(preset: string, options: RetrievalStrategyOptions): Strategy {
  if (!isPreset(preset))
    throw new LociError(
      "invalid-input",
      `there is no strategy "${preset}"; there are ${STRATEGIES.join(", ")}`,
    );
  const { answerer, id = preset, ...settings } = options;
  return evidenceStrategy(id, answerer, { preset, ...settings }, async (question, context) => {
    const { reader, embedder, nowUs, signal } = context;
    const forest = await context.forest?.();
    const retrieved = await retrieve(
      { text: question.text },
      {
        ...settings,
        strategy: preset,
        reader,
        nowUs,
        signal,
        ...(embedder === undefined ? {} : { embedder }),
        ...(forest === undefined ? {} : { forest }),
        ...(question.start === undefined ? {} : { pose: poseOf(question.start) }),
      },
    );
    return {
      items: await evidenceItems(reader, retrieved.items),
      rejected: [],
      ms: retrieved.trace.stages,
      plan: JSON.parse(JSON.stringify(retrieved.plan)),
    };
  });
}

function isPreset(name: string): name is Preset {
  return (STRATEGIES as readonly string[]).includes(name);
}

function poseOf({ position, yawRad }: NonNullable<AskedQuestion["start"]>): Transform {
  return { p: position, q: fromYaw(yawRad) };
}
