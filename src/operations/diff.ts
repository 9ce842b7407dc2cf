import { momentUs } from "../memory/query.ts";
import { type Diff, type DiffThing, diffQuerySchema, diffSchema } from "../schema/index.ts";
import { scopeIn } from "./going.ts";
import { operation, type ToldRow } from "./operation.ts";
import { quoted, timeText } from "./telling.ts";

export const diff = operation({
  summary: "What differs between two times: appeared, found, gone, moved, changed",
  scope: "read",
  cost: "question",
  input: diffQuerySchema,
  output: diffSchema,
  http: { method: "post", path: "/v1/diff", says: "What differs" },
  command: { positional: ["a", "b"] },
  run: async ({ seen }, { scene, a, b }, call): Promise<Diff> => {
    const { diffOf } = await import("../reasoning/accounts/index.ts");
    return diffOf((await scopeIn(seen, { scene }, call)).memory, momentUs(a), momentUs(b));
  },
  tell: ({ aUs, bUs, appeared, found, gone, moved, changed, same, isCut }) => ({
    summary: `From ${timeText(aUs)} to ${timeText(bUs)}: ${appeared.length} appeared, ${found.length} found where nobody had looked, ${gone.length} gone, ${moved.length} moved, ${changed.length} changed, ${same} the same${isCut ? "; there is more than could be compared" : ""}.`,
    rows: [
      ...appeared.map((thing) => row("appeared", thing)),
      ...found.map((thing) => row("found", thing)),
      ...gone.map((thing) => row("gone", thing, thing.looked ? ": its place was seen without it" : "")),
      ...moved.map((thing) => row("moved", thing, ` by ${thing.distanceM.toFixed(1)} m`)),
      ...changed.map((thing) =>
        row("changed", thing, `: ${thing.attribute} ${shown(thing.from)} → ${shown(thing.to)}`),
      ),
    ],
  }),
});

function row(what: string, { id, stateId, name, room }: DiffThing, more = ""): ToldRow {
  const where = room === undefined ? "" : ` in ${quoted(room.name)}`;
  return {
    line: `${what} ${quoted(name)}${where}${more} [${id}]`,
    data: { what, id, stateId, name, ...(room && { room: room.name }) },
  };
}

function shown(value: unknown): string {
  return value === undefined ? "unknown" : quoted(String(value));
}
