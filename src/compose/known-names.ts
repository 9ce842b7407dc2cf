import type { MemoryReader } from "../memory/port.ts";
import type { SearchRequest } from "../memory/request.ts";
import { LociError } from "../schema/core.ts";

/**
 * Refuses a scene or agent name that the memory has never seen: it is a typing error, not a place without
 * observations. An agent that gives its own position may ask before it has recorded anything.
 */
export async function checkNames(
  reader: MemoryReader,
  {
    sceneId,
    agentId,
    pose,
  }: {
    readonly sceneId?: string | undefined;
    readonly agentId?: string | undefined;
    readonly pose?: object | undefined;
  },
): Promise<void> {
  const holds = async (where: NonNullable<SearchRequest["where"]>) =>
    (await reader.search({ where, limit: 1 })).hits.length > 0;
  if (sceneId !== undefined && sceneId !== "default" && !(await holds({ sceneId: [sceneId] })))
    throw new LociError("unknown-id", `this memory knows no place (scene) "${sceneId}"`);
  if (agentId !== undefined && pose === undefined && !(await holds({ author: [agentId] })))
    throw new LociError("unknown-id", `this memory holds nothing by an agent "${agentId}"`);
}
