import type { Memory } from "../compose/memory.ts";
import { mapsOf } from "../compose/scene-maps.ts";
import type { GroundFloor } from "../exchange/feed/index.ts";
import { groundListSchema, sceneQuerySchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

export const grounds = operation({
  summary: "The storeys of the maps",
  scope: "read",
  input: sceneQuerySchema,
  output: groundListSchema,
  http: { method: "get", path: "/v1/feed/ground", says: "Lowest first" },
  run: async ({ seen }, { scene }): Promise<Omit<GroundFloor, "bytes">[]> =>
    (await groundsOf(seen, scene)).map(({ bytes: _, ...floor }) => floor),
});

/** Scenes whose drawn storeys are kept for one memory. */
const MAX_DRAWN = 16;

interface Drawn {
  readonly state: string;
  readonly floors: Promise<GroundFloor[]>;
}

const drawnOf = new WeakMap<Memory, Map<string, Drawn>>();

/** The storeys of every map of a scene, redrawn when the maps have changed. */
export async function groundsOf(memory: Memory, sceneId = "default"): Promise<GroundFloor[]> {
  const drawn = drawnOf.get(memory) ?? new Map<string, Drawn>();
  drawnOf.set(memory, drawn);
  const state = await mapsOf(memory).state(sceneId);
  const known = drawn.get(sceneId);
  if (known?.state === state) return known.floors;
  const floors = draw(memory, sceneId);
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(sceneId, { state, floors });
  floors.catch(() => drawn.delete(sceneId));
  return floors;
}

async function draw(memory: Memory, sceneId: string): Promise<GroundFloor[]> {
  const { groundOf, surfacesOf } = await import("../exchange/feed/index.ts");
  const names = new Set((await surfacesOf(await memory.reader(), sceneId)).map(({ map }) => map));
  const floors: GroundFloor[] = [];
  for (const name of [...names].sort())
    floors.push(...groundOf(await mapsOf(memory).of(sceneId, name), name));
  return floors;
}
