import type { IngestModels } from "../ingest/index.ts";
import type { Captioner, Describer, Matcher, ModelRoles, Summariser } from "../models/index.ts";
import { isLociError } from "../schema/core.ts";
import type { Adjudicator, Proposal } from "../tracking/index.ts";

/**
 * The stages of an ingest that use language models. Where a model does not reply in time, the template or rule takes
 * over. After an abort the same happens at once: the current frame is finished and stored whole, without waiting.
 */
export async function ingestModels(
  roles: ModelRoles,
  signal: AbortSignal | undefined,
): Promise<IngestModels | undefined> {
  const { modelCaptioner, modelDescriber, modelMatcher, modelSummariser } = await import(
    "../models/roles/index.ts"
  );
  const [describer, captioner] = [roles.get("describer"), roles.get("captioner")];
  const [adjudicator, summariser] = [roles.get("adjudicator"), roles.get("summariser")];
  return {
    ...(describer && { describer: quietDescriber(modelDescriber(describer), signal) }),
    ...(captioner && { captioner: quietCaptioner(modelCaptioner(captioner), signal) }),
    ...(adjudicator && { adjudicator: await withRule(modelMatcher(adjudicator), signal) }),
    ...(summariser && { summariser: await withExtract(modelSummariser(summariser), signal) }),
  };
}

function quietDescriber(describer: Describer, signal: AbortSignal | undefined): Describer {
  return {
    ...describer,
    describe: (things) =>
      orElse(
        () => describer.describe(things, given(signal)),
        () => things.map(() => null),
        signal,
      ),
  };
}

function quietCaptioner(captioner: Captioner, signal: AbortSignal | undefined): Captioner {
  return {
    ...captioner,
    caption: (clip) =>
      orElse(
        () => captioner.caption(clip, given(signal)),
        () => null,
        signal,
      ),
  };
}

/**
 * Asks the model where the score is undecided (docs/formulas.md#same-thing), and uses the rule where the model gives
 * no answer.
 */
async function withRule(matcher: Matcher, signal: AbortSignal | undefined): Promise<Adjudicator> {
  const { RULE_ADJUDICATOR } = await import("../tracking/index.ts");
  return {
    async decide(proposals) {
      const byRule = await RULE_ADJUDICATOR.decide(proposals);
      return Promise.all(
        proposals.map(async (proposal, n) => {
          const known = { id: proposal.known.stateId, text: knownText(proposal) };
          const { phrase, category } = proposal.detection;
          const seen = category === undefined ? phrase : `${phrase} (${category})`;
          const same = await orElse(
            () => matcher.same(seen, [known], signal),
            () => undefined,
            signal,
          );
          return same === undefined ? byRule[n] === true : same === known.id;
        }),
      );
    },
  };
}

/** A known thing with its evidence from geometry and appearance, since the model sees neither. */
function knownText({ known, place, overlap, looks }: Proposal): string {
  const parts = [`place fits ${place.toFixed(2)} of 1`, `boxes overlap by ${overlap.toFixed(2)}`];
  if (looks !== undefined) parts.push(`looks alike ${looks.toFixed(2)} of 1`);
  return `${known.name} (${known.category}); ${parts.join(", ")}`;
}

async function withExtract(summariser: Summariser, signal: AbortSignal | undefined): Promise<Summariser> {
  const { extractiveSummariser } = await import("../map/index.ts");
  return {
    id: summariser.id,
    parallel: summariser.parallel,
    summarise: (request) =>
      orElse(
        () => summariser.summarise(request, given(signal)),
        () => extractiveSummariser.summarise(request),
        signal,
      ),
  };
}

async function orElse<T>(
  asked: () => Promise<T>,
  otherwise: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal?.aborted) return otherwise();
  try {
    return await asked();
  } catch (error) {
    if (!isLociError(error)) throw error;
    return otherwise();
  }
}

const given = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
