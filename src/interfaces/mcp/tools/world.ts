import { z } from "zod";
import type { MemoryFace } from "../../../compose.ts";
import { count, pointText, rounded, spanText } from "../../../operations/telling.ts";
import { quoted, seen } from "../../../operations/world-text.ts";
import { isLociError, type Route, type RouteQuery } from "../../../schema/index.ts";
import { offsetOf, pageResult } from "../answer.ts";
import { cursor, id, point, scene, tool, upTo, words } from "../tool.ts";

const PAGE = 30;
const MAX_PAGE = 100;
/** The most points of a route that are returned; a robot plans its own path between them. */
const MAX_POINTS = 40;

export const changes = tool({
  name: "changes",
  description:
    'What changed in the world: things that appeared, moved, went or changed state, with the event id. Since a time ("yesterday", "9:05", ISO 8601), or all that is known.',
  does: "read",
  input: z.strictObject({ since: words(64).optional(), limit: upTo(MAX_PAGE).optional(), cursor }),
  async run({ since, limit = PAGE, cursor: at }, { face, signal }) {
    const offset = offsetOf(at);
    const { rows } = await face.list({ what: "changes", ...(since !== undefined && { since }) }, { signal });
    const shown = rows.slice(offset, offset + limit);
    const times = await timesOf(
      face,
      shown.map((row) => String(row["id"])),
      signal,
    );
    return pageResult({
      summary:
        rows.length === 0 ? "Nothing is known to have changed." : `${count(rows.length, "change")} in all.`,
      rows: shown.map((row) => {
        const when = times.get(String(row["id"])) ?? String(row["when"]);
        return { line: `${when} ${quoted(String(row["what"]))} [${row["id"]}]`, data: { ...row, when } };
      }),
      offset,
      hasMore: rows.length > offset + limit,
    });
  },
});

const place = z.union([words(256), point]);

export const route = tool({
  name: "route",
  description:
    "How to get to a room, a thing or a point, and where a robot has to stand to see it (goal). from: a room, thing or point; default where the robot is.",
  does: "read",
  onMap: true,
  input: z.strictObject({ to: place, from: place.optional(), agent: id.optional(), scene }),
  async run(query, { face, signal }) {
    const { to, goal } = await face.goal(query, { signal });
    const way = await wayOf(face, query, signal);
    const name = to.name === undefined ? pointText(to.position) : quoted(to.name);
    return pageResult({
      summary: [
        way === undefined
          ? `To ${name} at ${pointText(to.position)}: no way is known from there, or it is not known where "from" is.`
          : `To ${name}: ${way.lengthM.toFixed(1)} m ${WAYS[way.by]}, through ${way.rooms.map((room) => quoted(room.name)).join(", ") || "no known room"}.`,
        goal === null
          ? "No map tells where to stand."
          : `Goal: ${pointText(goal.position)} in ${seen(goal.frame)}, yaw ${goal.yawRad.toFixed(3)} rad${goal.stale === undefined ? "" : `; ${goal.stale}`}.`,
      ].join("\n"),
      rows: (way?.doors ?? []).map(({ id, position }) => ({
        line: `door at ${pointText(position)}${id === undefined ? "" : ` [${id}]`}`,
        data: { ...(id !== undefined && { id }), position: rounded(position) },
      })),
      data: {
        to: { ...to, position: rounded(to.position) },
        ...(goal && { goal }),
        ...(way && {
          by: way.by,
          lengthM: Number(way.lengthM.toFixed(2)),
          rooms: way.rooms,
          points: thinned(way.points).map(rounded),
        }),
      },
    });
  },
});

const WAYS = {
  map: "over the mapped floor",
  doors: "from door to door",
  straight: "as the crow flies",
} as const;

/** The route, if one is known; a missing route is no failure as long as the goal is known. */
async function wayOf(face: MemoryFace, query: RouteQuery, signal: AbortSignal): Promise<Route | undefined> {
  try {
    return await face.route(query, { signal });
  } catch (error) {
    if (isLociError(error, "unknown-id") || isLociError(error, "not-supported")) return undefined;
    throw error;
  }
}

/** At most MAX_POINTS points, evenly sampled, including the first and the last. */
function thinned<T>(points: readonly T[]): T[] {
  if (points.length <= MAX_POINTS) return [...points];
  const step = (points.length - 1) / (MAX_POINTS - 1);
  return Array.from({ length: MAX_POINTS }, (_, n) => points[Math.round(n * step)]!);
}

/** When each of these events was. */
async function timesOf(
  face: MemoryFace,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { hits } = await face.search({ ids: [...ids], limit: ids.length, rank: "id" }, { signal });
  return new Map(hits.map(({ record }) => [record.id, spanText(record)]));
}
