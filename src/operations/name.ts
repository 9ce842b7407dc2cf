import { type Correction, correctionSchema, type NameRequest, nameRequestSchema } from "../schema/index.ts";
import { stampOf } from "./context.ts";
import { operation } from "./operation.ts";
import { authored, noted, sayingOf, tellCorrection } from "./saying.ts";

export const name = operation({
  summary: "“This is the charging dock”: gives a thing, a room or a place a name to be asked for by",
  scope: "write",
  input: nameRequestSchema,
  output: correctionSchema,
  http: {
    method: "post",
    path: "/v1/names",
    says: "What was said",
    mayMiss: true,
    relies: ["id", "target"],
  },
  command: { positional: ["[target]"], options: { name: "as", radiusM: "radius", sceneId: "scene" } },
  run: async (context, request): Promise<Correction> => {
    const { name } = await import("../compose/people.ts");
    const { scene, labels } = stampOf(context);
    const asked = authored(context, request) as NameRequest;
    const place = { labels: labels(request.labels ?? []), ...(scene !== undefined && { sceneId: scene }) };
    const stamped = request.at === undefined ? asked : { ...asked, ...place };
    return noted(context, "name", await name(sayingOf(context), stamped));
  },
  tell: tellCorrection,
});
