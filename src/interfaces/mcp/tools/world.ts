import { z } from "zod";
import type { MemoryFace } from "../../../compose.ts";
import { isLociError, type Life, type Route, type RouteQuery } from "../../../schema/index.ts";
import { offsetOf, pageResult, type Row } from "../answer.ts";
import { cursor, id, moment, point, scene, tool, upTo, words } from "../tool.ts";
import { count, pointText, rounded, spanText, timeText } from "../value-text.ts";
import { quoted, seen } from "../world-text.ts";

const PAGE = 30;
const MAX_PAGE = 100;
/** The most points of a route that are returned; a robot plans its own path between them. */
const MAX_POINTS = 40;

export const life = tool({
  name: "life",
  description:
    'The life of one thing, by its id or by words ("the red mug"): where it stayed from when to when, what happened to it, who saw it, pictures.',
  does: "read",
  onMap: true,
  input: z.strictObject({ thing: words(256), cursor }),
  async run({ thing, cursor: at }, { face, signal }) {
    const told = await face.life(thing, { pictures: 5 }, { signal });
    const rows = [...told.stays.map(stayRow), ...told.events.map(happened)].toSorted(
      (a, b) => a.fromUs - b.fromUs,
    );
    const offset = offsetOf(at);
    const seenText =
      told.lastSeenUs === null
        ? "never seen"
        : `seen ${count(told.seen, "time")}, last ${timeText(told.lastSeenUs)}`;
    return pageResult({
      summary: `${quoted(told.name)} (${quoted(told.category)}) [${told.id}]: ${seenText}; ${told.isThere ? "believed to be where it was last seen" : "no longer where it was"}.`,
      rows: rows.slice(offset),
      offset,
      data: {
        id: told.id,
        name: told.name,
        category: told.category,
        isThere: told.isThere,
        seenBy: told.seenBy.slice(0, 10).map(({ agent, seen: times }) => ({ agent, times })),
        views: told.pictures.map(({ viewId }) => viewId),
      },
    });
  },
});

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

export const coverage = tool({
  name: "coverage",
  description:
    'How much of each room was looked at and when last: tells "not there" from "nobody looked". With since only looks after that count.',
  does: "read",
  input: z.strictObject({ since: moment.optional(), scene, cursor }),
  async run({ cursor: at, ...query }, { face, signal }) {
    const offset = offsetOf(at);
    const { rooms, floors, nowUs } = await face.coverage(query, { signal });
    const least = rooms.toSorted((a, b) => a.share - b.share || (a.id < b.id ? -1 : 1));
    const m2 = floors.reduce((sum, floor) => sum + floor.seenM2, 0);
    return pageResult({
      summary: `${count(rooms.length, "room")} by ${timeText(nowUs)}, least looked at first; ${m2.toFixed(0)} m² of floor seen.`,
      rows: least.slice(offset).map(({ id, name, areaM2, share, lastUs }) => ({
        line: `${quoted(name)} ${Math.round(share * 100)} % of ${areaM2.toFixed(0)} m²${lastUs === null ? "" : `, last ${timeText(lastUs)}`} [${id}]`,
        data: { id, name, share: Number(share.toFixed(3)), last: lastUs === null ? null : timeText(lastUs) },
      })),
      offset,
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

type Timed = Row & { readonly fromUs: number };

function stayRow({
  stateId,
  fromUs,
  toUs,
  position,
  room,
  seen: times,
  absentUs,
}: Life["stays"][number]): Timed {
  const where = [
    ...(room ? [`in ${quoted(room.name)}`] : []),
    ...(position ? [`at ${pointText(position)}`] : []),
  ].join(" ");
  const gone = absentUs === null ? "" : `; looked for and absent ${timeText(absentUs)}`;
  const span = spanText({ validFromUs: fromUs, validToUs: toUs });
  return {
    fromUs,
    line: `stayed ${where} ${span}, seen ${count(times, "time")}${gone} [${stateId}]`,
    data: {
      id: stateId,
      stay: span,
      ...(room && { room: room.name }),
      ...(position && { position: rounded(position) }),
    },
  };
}

function happened({ id, type, fromUs, toUs, text }: Life["events"][number]): Timed {
  const span = spanText({ validFromUs: fromUs, validToUs: toUs });
  return { fromUs, line: `${quoted(text)} ${span} [${id}]`, data: { id, event: type, text, when: span } };
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
