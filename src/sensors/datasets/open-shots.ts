import type { ReadOptions } from "../options.ts";
import type { OpenSource } from "../source.ts";
import { findConventions } from "./conventions.ts";
import { type ShotList, shotSource } from "./shots.ts";

/** A dataset as a source, read the way in which its frames fit onto each other. */
export async function openShots(list: ShotList, options: ReadOptions): Promise<OpenSource> {
  const { reading, conventions, missing } = await findConventions(list, options);
  return shotSource(
    {
      ...list,
      conventions: [...(list.conventions ?? []), ...conventions],
      missing: [...(list.missing ?? []), ...missing],
    },
    { ...options, ...reading },
  );
}
