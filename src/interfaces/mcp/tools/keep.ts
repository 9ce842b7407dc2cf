import { z } from "zod";
import { count, spanText, titleOf } from "../../../operations/telling.ts";
import { quoted } from "../../../operations/world-text.ts";
import { LIMITS, LociError } from "../../../schema/core.ts";
import { plainResult } from "../answer.ts";
import { id, moment, point, tool, words } from "../tool.ts";

/** More than a person can look over before saying yes. */
const MAX_FORGOTTEN = 100;
const NAMED_IN_QUESTION = 10;

export const remember = tool({
  name: "remember",
  description:
    "Store a fact in words, with its place and time if known: notes, what people said, states, tasks done. Each sentence is found by itself. It is durable when this returns.",
  does: "write",
  input: z.strictObject({
    text: words(LIMITS.lineChars * 4),
    at: point.optional(),
    time: moment.optional().describe("when it was so; default now"),
    until: moment.nullable().optional().describe("null: it is still so"),
    topic: words(200).optional(),
  }),
  async run(fact, { face }) {
    const stored = await face.remember(fact);
    return plainResult(`Remembered ${titleOf(stored)} ${spanText(stored)} [${stored.id}].`, {
      id: stored.id,
      version: stored.version,
    });
  },
});

export const forget = tool({
  name: "forget",
  description:
    "Remove records and all that was derived from them, for good. Needs a person's confirmation: the client asks, or the first call gives a confirm token for a second call.",
  does: "destroy",
  input: z.strictObject({
    ids: z.array(id).min(1).max(MAX_FORGOTTEN),
    reason: words(200).describe("why; kept on record"),
    confirm: words(100).optional(),
  }),
  async run({ ids, reason, confirm }, { face, confirmation, context, signal }) {
    const wanted = [...new Set(ids)];
    const { hits } = await face.search({ ids: wanted, limit: wanted.length, rank: "id" }, { signal });
    const known = new Map(hits.map(({ record }) => [record.id, record]));
    const unknown = wanted.filter((one) => !known.has(one));
    if (unknown.length > 0)
      throw new LociError(
        "unknown-id",
        `there is no ${unknown
          .slice(0, 5)
          .map((one) => quoted(one))
          .join(", ")} to forget`,
      );
    const titles = wanted.slice(0, NAMED_IN_QUESTION).map((one) => `${titleOf(known.get(one)!)} [${one}]`);
    const more = wanted.length > titles.length ? ` and ${wanted.length - titles.length} more` : "";
    const lines = (await face.saidByName(wanted)).flatMap((one) => one.lines);
    const also =
      lines.length === 0
        ? ""
        : ` and ${count(lines.length, "sentence")} that people said of it by name (${lines.slice(0, NAMED_IN_QUESTION).map(quoted).join(", ")})`;
    const missing = await confirmation.missing(
      {
        about: JSON.stringify([wanted.toSorted(), reason, lines]),
        message: `Forget ${count(wanted.length, "record")} for good, because ${quoted(reason)}: ${titles.join(", ")}${more}${also}?`,
        token: confirm,
      },
      context,
    );
    if (missing !== undefined) return missing;
    const report = await face.forget({ ids: wanted, reason });
    return plainResult(
      `Forgot ${count(report.forgotten.length, "record")}, ${count(report.said, "sentence")} by name, ${count(report.sightings, "sighting")} and ${count(report.blobs, "picture")}; ${report.rewritten.length} that pointed there were rewritten.`,
      {
        done: true,
        forgotten: report.forgotten.map((gone) => gone.id),
        rewritten: report.rewritten.map((kept) => kept.id),
        wiped: report.wiped,
      },
    );
  },
});
