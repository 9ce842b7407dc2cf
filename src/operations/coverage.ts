import { mapsOf } from "../compose/scene-maps.ts";
import { momentUs } from "../memory/query.ts";
import { type Coverage, coverageQuerySchema, coverageSchema } from "../schema/index.ts";
import { mapIn, scopeIn } from "./going.ts";
import { operation } from "./operation.ts";
import { count, quoted, timeText } from "./telling.ts";

export const coverage = operation({
  summary: "What of the ground was looked at, room by room, and when last",
  scope: "read",
  cost: "question",
  input: coverageQuerySchema,
  output: coverageSchema,
  http: { method: "post", path: "/v1/coverage", says: "Floors and rooms", relies: ["rooms"] },
  tool: {
    description:
      'How much of each room was looked at and when last: tells "not there" from "nobody looked". With since only looks after that count.',
    isPaged: true,
  },
  command: {},
  run: async ({ seen }, { scene, since }, call): Promise<Coverage> => {
    const { coverageOf } = await import("../reasoning/accounts/index.ts");
    const { memory } = await scopeIn(seen, { scene }, call);
    const { root } = await mapIn(seen, { scene });
    const map = await mapsOf(seen).of(scene, root);
    return coverageOf(map, memory, since === undefined ? undefined : momentUs(since));
  },
  tell: ({ rooms, floors, nowUs }) => {
    const least = rooms.toSorted((a, b) => a.share - b.share || (a.id < b.id ? -1 : 1));
    const m2 = floors.reduce((sum, floor) => sum + floor.seenM2, 0);
    return {
      summary: `${count(rooms.length, "room")} by ${timeText(nowUs)}, least looked at first; ${m2.toFixed(0)} m² of floor seen.`,
      rows: least.map(({ id, name, areaM2, share, lastUs }) => ({
        line: `${quoted(name)} ${Math.round(share * 100)} % of ${areaM2.toFixed(0)} m²${lastUs === null ? "" : `, last ${timeText(lastUs)}`} [${id}]`,
        data: { id, name, share: Number(share.toFixed(3)), last: lastUs === null ? null : timeText(lastUs) },
      })),
    };
  },
});
