import { z } from "zod";
import { type Life, lifeQuerySchema, lifeSchema, thingRefSchema } from "../schema/index.ts";
import { scopeIn } from "./going.ts";
import { operation, type ToldRow } from "./operation.ts";
import { count, pointText, quoted, rounded, spanText, timeText } from "./telling.ts";

export const life = operation({
  summary: "The life of a thing by its id or by words: stays, who saw it, what happened to it, pictures",
  scope: "read",
  cost: "question",
  input: z.strictObject({ thing: thingRefSchema, ...lifeQuerySchema.shape }),
  output: lifeSchema,
  lead: "thing",
  http: {
    method: "get",
    path: "/v1/life/{thing}",
    says: "Its life",
    mayMiss: true,
    relies: ["id", "stays"],
  },
  tool: {
    description:
      'The life of one thing, by its id or by words ("the red mug"): where it stayed from when to when, what happened to it, who saw it, pictures.',
    arguments: ["thing"],
    isPaged: true,
    onMap: true,
  },
  command: { positional: ["thing"] },
  run: async ({ seen }, { thing, ...query }, call): Promise<Life> => {
    const { lifeOf, thingMeant } = await import("../reasoning/accounts/index.ts");
    const scope = await scopeIn(seen, query, call);
    return lifeOf(await thingMeant(thing, scope), scope.memory, query);
  },
  tell: (told) => {
    const seen =
      told.lastSeenUs === null
        ? "never seen"
        : `seen ${count(told.seen, "time")}, last ${timeText(told.lastSeenUs)}`;
    return {
      summary: `${quoted(told.name)} (${quoted(told.category)}) [${told.id}]: ${seen}; ${told.isThere ? "believed to be where it was last seen" : "no longer where it was"}.`,
      rows: [...told.stays.map(stayRow), ...told.events.map(eventRow)].toSorted(
        (a, b) => a.fromUs - b.fromUs,
      ),
      data: {
        id: told.id,
        name: told.name,
        category: told.category,
        isThere: told.isThere,
        seenBy: told.seenBy.slice(0, MOST_AGENTS).map(({ agent, seen: times }) => ({ agent, times })),
        views: told.pictures.slice(0, MOST_PICTURES).map(({ viewId }) => viewId),
      },
    };
  },
});

/** The most that is told of who saw a thing, and of its pictures. */
const MOST_AGENTS = 10;
const MOST_PICTURES = 5;

type Timed = ToldRow & { readonly fromUs: number };

function stayRow({ stateId, fromUs, toUs, position, room, seen, absentUs }: Life["stays"][number]): Timed {
  const where = [
    ...(room ? [`in ${quoted(room.name)}`] : []),
    ...(position ? [`at ${pointText(position)}`] : []),
  ].join(" ");
  const gone = absentUs === null ? "" : `; looked for and absent ${timeText(absentUs)}`;
  const span = spanText({ validFromUs: fromUs, validToUs: toUs });
  return {
    fromUs,
    line: `stayed ${where} ${span}, seen ${count(seen, "time")}${gone} [${stateId}]`,
    data: {
      id: stateId,
      stay: span,
      ...(room && { room: room.name }),
      ...(position && { position: rounded(position) }),
    },
  };
}

function eventRow({ id, type, fromUs, toUs, text }: Life["events"][number]): Timed {
  const span = spanText({ validFromUs: fromUs, validToUs: toUs });
  return { fromUs, line: `${quoted(text)} ${span} [${id}]`, data: { id, event: type, text, when: span } };
}
