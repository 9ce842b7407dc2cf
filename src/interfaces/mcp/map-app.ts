import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { MemoryFace } from "../../compose.ts";
import { round } from "../../operations/telling.ts";
import { seenJson } from "../../operations/world-text.ts";
import { LociError } from "../../schema/core.ts";
import { viewerFolder } from "../http/viewer-files.ts";
import type { FloorPlan } from "./floor-plan.ts";

/** The map that a host with MCP Apps shows beside an answer; others never ask for it. */
export const MAP_URI = "ui://loci/map";
const MAP_TYPE = "text/html;profile=mcp-app";
const PLAN_URI = "loci://floorplan";
/** A plan is a sketch: it keeps the first rooms, and every n-th corner of longer outlines. */
const MAX_ROOMS = 500;
const MAX_CORNERS = 64;

export function offerMap(server: McpServer, face: MemoryFace): void {
  server.registerResource(
    "map",
    MAP_URI,
    { description: "A floor plan that shows what an answer is about", mimeType: MAP_TYPE },
    async () => ({ contents: [{ uri: MAP_URI, mimeType: MAP_TYPE, text: await page() }] }),
  );
  const plan = async (uri: string, scene?: string) => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify(await floorPlan(face, scene)) }],
  });
  const about = { description: "Rooms as outlines, and the robot", mimeType: "application/json" };
  server.registerResource("floorplan", PLAN_URI, about, (uri) => plan(uri.href));
  server.registerResource(
    "floorplan of a scene",
    new ResourceTemplate(`${PLAN_URI}/{scene}`, { list: undefined }),
    about,
    (uri, { scene }) => plan(uri.href, decodeURIComponent(String(scene))),
  );
}

let built: Promise<string | undefined> | undefined;

async function page(): Promise<string> {
  built ??= viewerFolder();
  const folder = await built;
  const text = folder && (await readFile(join(folder, "map-app.html"), "utf8").catch(() => undefined));
  if (!text) {
    built = undefined;
    throw new LociError("not-supported", "the map was not built: npm run viewer:build");
  }
  return text;
}

async function floorPlan(face: MemoryFace, scene: string | undefined): Promise<FloorPlan> {
  const of = scene === undefined ? {} : { scene };
  const [{ regions }, { hits }] = await Promise.all([
    face.scene(of),
    face.search({ ...of, kinds: ["observation"], rank: "latest", limit: 1 }),
  ]);
  const rooms = regions.filter(({ type, toUs }) => type === "room" && toUs === null).slice(0, MAX_ROOMS);
  const [look] = hits;
  return seenJson({
    rooms: rooms.map(({ id, name, z, outline }) => ({
      id,
      name,
      z: round(z, 2),
      outline: sketched(outline),
    })),
    ...(look?.position && {
      robot: {
        x: round(look.position.x, 2),
        y: round(look.position.y, 2),
        z: round(look.position.z, 2),
      },
    }),
  });
}

function sketched(outline: readonly { readonly x: number; readonly y: number }[]): [number, number][] {
  const step = Math.ceil(outline.length / MAX_CORNERS);
  return outline.filter((_, n) => n % step === 0).map(({ x, y }) => [round(x, 2), round(y, 2)]);
}
