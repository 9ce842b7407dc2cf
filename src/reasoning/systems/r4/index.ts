import { answerability, answerWithContext, doesItShow } from "../../../models/prompts/index.ts";
import { askWithModel } from "../../loop/ask-with-model.ts";
import { retrieveBy, together } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { Found, Keys, System, SystemOptions } from "../system.ts";
import { keysOf } from "./keys.ts";

const ALL: Keys = { meaning: true, space: true, time: true };
/** Rooms of one name that are searched. */
const MOST_ROOMS = 4;
/** "Everything within 2 m of it": the example of the paper. */
const CHAIN_M = 2;
/** Things that a phrase may mean are followed side by side. */
const MOST_ANCHORS = 3;

/**
 * R⁴: keys of what, where and when into a database of objects; whichever key hits, the whole 4D record is handed over. With
 * a model it is the paper's loop (`loop/`): answerability, keys, rounds that chain and broaden.
 */
export const r4: System = {
  name: "r4",
  prompts: [answerability.id, answerWithContext.id, doesItShow.id],
  answer: async (question, options) => {
    const { model } = options;
    // The loop gets the earlier turns, and reads the original question.
    if (model) return askWithModel(options.asked ?? question, { ...options, model });
    return readEvidence("r4", question, await find(question, { ...options, history: undefined }), options);
  },
};

async function find(question: string, options: SystemOptions): Promise<Found> {
  const keys = { ...ALL, ...options.keys };
  const { semantic, regionIds, during, chains } = await keysOf(question, options, keys);
  const time = during && { during };
  const places = regionIds.slice(0, MOST_ROOMS).map((regionId) => ({ regionId }));
  const where = places.length > 0 ? places : [{}];
  const cues = semantic.length > 0 ? semantic : [""];
  const searches = cues.flatMap((text) => where.map((place) => ({ text, ...place, ...time })));
  const asked = searches.filter(({ text, ...rest }) => text !== "" || Object.keys(rest).length > 0);
  const first = await Promise.all(
    asked.map(async (one) => ({
      cue: one.text,
      retrieved: await retrieveBy("r4", one, options, { keys: { ...keys, meaning: one.text !== "" } }),
    })),
  );
  if (!chains) return together(first);
  const anchors = first.flatMap(({ cue, retrieved }) =>
    retrieved.items.slice(0, MOST_ANCHORS).flatMap(({ position }) => (position ? [{ cue, position }] : [])),
  );
  const around = await Promise.all(
    anchors.map(async ({ cue, position }) => ({
      cue: `within ${CHAIN_M} m of ${cue}`,
      retrieved: await retrieveBy(
        "r4",
        { text: cue || question, near: { centre: position, radiusM: CHAIN_M }, ...time },
        options,
        { keys: { ...keys, meaning: false } },
      ),
    })),
  );
  return together([...first, ...around]);
}
