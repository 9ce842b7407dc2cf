import { scopeFor, type WorkCall } from "../compose/ask.ts";
import { askedMap } from "../compose/asked-map.ts";
import type { Memory } from "../compose/memory.ts";

/** What is asked of one place: the scene, whose "here" it is, and which of its maps. */
export interface Going {
  readonly scene?: string | undefined;
  readonly agent?: string | undefined;
  readonly frame?: string | undefined;
}

/** What carries out an expression in a scene. */
export function scopeIn(seen: Memory, { scene, agent, frame }: Going, call: WorkCall) {
  return scopeFor(seen, { sceneId: scene, agentId: agent, frame }, call);
}

/** The map that is asked about. */
export async function mapIn(seen: Memory, { scene, agent, frame }: Going) {
  return askedMap(await seen.reader(), { sceneId: scene, agentId: agent, frame });
}
