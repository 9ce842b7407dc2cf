import { alignScene, joinScene, mapsSeen, partScene } from "../../../compose.ts";
import type { MapJoin, Vec3 } from "../../../index.ts";
import { LociError } from "../../../schema/index.ts";
import { APART, mapLine } from "../ingest-text.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface AlignOptions extends MemoryOptions {
  readonly scene?: string;
  readonly transform?: { readonly position: Vec3; readonly yawRad: number };
  readonly undo?: boolean;
}

/** Joins maps: all that can be recognised in one another, or the second with the first; or reverts a join. */
export async function run(
  options: AlignOptions,
  terminal: Terminal,
  first?: string,
  second?: string,
): Promise<void> {
  const { scene: sceneId, transform, undo } = options;
  const map = second ?? first;
  if ((undo || transform) && map === undefined)
    throw new LociError("invalid-input", "name the map: align A B --transform …, or align A B --undo");
  await withMemory(options, { create: false }, async (memory) => {
    if (undo) {
      const parted = await partScene(memory, map!, sceneId);
      terminal.result(
        parted,
        () =>
          `the map "${parted.root}" was taken off "${parted.from}"; ${countOf(parted.restored, "record")} as before the join`,
      );
      return;
    }
    if (first !== undefined && second !== undefined) {
      const pose = transform && {
        p: transform.position,
        q: { w: Math.cos(transform.yawRad / 2), x: 0, y: 0, z: Math.sin(transform.yawRad / 2) },
      };
      const join = await alignScene(memory, { into: first, map: second, sceneId, transform: pose });
      refuse(join);
      terminal.result(join, () => mapLine(join));
      return;
    }
    if (first !== undefined) throw new LociError("invalid-input", "name two maps: align A B");
    const joins = await joinScene(memory, sceneId);
    const maps = await mapsSeen(await memory.reader(), sceneId);
    terminal.result({ maps, joins }, () =>
      [
        ...joins.map(mapLine),
        ...maps.map(
          ({ root, pieces, agents }) => `"${root}": ${countOf(pieces, "piece")} of ${agents.join(", ")}`,
        ),
      ].join("\n"),
    );
  });
}

function refuse({ refused, root, into }: MapJoin): void {
  if (refused !== undefined)
    throw new LociError(
      "not-supported",
      `"${root}" was not joined to "${into}": ${APART[refused]}; give --transform where it is known`,
    );
}
