import { z } from "zod";
import { offsetOf, pageResult } from "../answer.ts";
import { cursor, moment, tool, upTo } from "../tool.ts";
import { count, spanText } from "../words.ts";
import { quoted } from "../world-text.ts";

const PAGE = 30;
const MOST_PAGE = 100;

export const changes = tool({
  name: "changes",
  description:
    "What changed in the world: things that appeared, moved, went or changed state, with the event's id. Since a time, or all that is known.",
  does: "read",
  input: z.strictObject({ since: moment.optional(), limit: upTo(MOST_PAGE).optional(), cursor }),
  async run({ since, limit = PAGE, cursor: at }, { face, signal }) {
    const offset = offsetOf(at);
    const { rows } = await face.list({ what: "changes", ...(since !== undefined && { since }) }, { signal });
    const shown = rows.slice(offset, offset + limit);
    const ids = shown.map((row) => String(row["id"]));
    const { hits } =
      ids.length === 0 ? { hits: [] } : await face.search({ ids, limit: ids.length, rank: "id" }, { signal });
    const times = new Map(hits.map(({ record }) => [record.id, spanText(record)]));
    return pageResult({
      summary:
        rows.length === 0 ? "Nothing is known to have changed." : `${count(rows.length, "change")} in all.`,
      rows: shown.map((row) => ({
        line: `${times.get(String(row["id"])) ?? ""} ${quoted(String(row["what"]))} [${row["id"]}]`,
        data: { ...row, when: times.get(String(row["id"])) ?? row["when"] },
      })),
      offset,
      hasMore: rows.length > offset + limit,
    });
  },
});
