import type { ReadOptions } from "../options.ts";
import type { OpenSource } from "../source.ts";
import { findConventions } from "./conventions.ts";
import { findDelay } from "./delay.ts";
import { findFaults } from "./faults.ts";
import { levelOf } from "./level.ts";
import { paced } from "./pace.ts";
import { findRegistration } from "./registration.ts";
import { type ShotList, shotSource } from "./shots.ts";

/** A dataset as a source, read with the conventions under which its frames agree. */
export async function openShots(list: ShotList, options: ReadOptions): Promise<OpenSource> {
  const { reading, conventions, missing } = await findConventions(list, options);
  const read = { ...options, ...reading };
  const faults = await findFaults(list, read);
  const level = await levelOf(list, read);
  const delay = await findDelay(list, read);
  const registered = await findRegistration({ ...list, ...delay }, read);
  return shotSource(
    {
      ...paced({ ...list, ...(delay && { shots: delay.shots }) }, read),
      conventions: [
        ...(list.conventions ?? []),
        ...conventions,
        ...(delay ? [delay.line] : []),
        ...(level?.lines ?? []),
        ...(registered ? [registered.line] : []),
      ],
      missing: [...(list.missing ?? []), ...missing, ...faults],
      ...(missing.length > 0 && { isMisfit: true }),
      ...(level && { levelling: level.turn }),
      ...(registered && { registration: registered.registration }),
    },
    read,
  );
}
