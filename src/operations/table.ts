import { ask } from "./ask.ts";
import { audit } from "./audit.ts";
import { blob } from "./blob.ts";
import { changes } from "./changes.ts";
import { correct } from "./correct.ts";
import { corrections } from "./corrections.ts";
import { coverage } from "./coverage.ts";
import { diff } from "./diff.ts";
import { forget } from "./forget.ts";
import { goal } from "./goal.ts";
import { ground } from "./ground.ts";
import { grounds } from "./grounds.ts";
import { history } from "./history.ts";
import { ingestCaptions } from "./ingest-captions.ts";
import { ingestDetections } from "./ingest-detections.ts";
import { life } from "./life.ts";
import { list } from "./list.ts";
import { mapChunk } from "./map-chunk.ts";
import { name } from "./name.ts";
import type { Operation } from "./operation.ts";
import { record } from "./record.ts";
import { remember } from "./remember.ts";
import { retain } from "./retain.ts";
import { route } from "./route.ts";
import { saidByName } from "./said-by-name.ts";
import { scene } from "./scene.ts";
import { search } from "./search.ts";
import { sources } from "./sources.ts";
import { startSource } from "./start-source.ts";
import { stateColumns } from "./state-columns.ts";
import { stats } from "./stats.ts";
import { stopSource } from "./stop-source.ts";
import { timeline } from "./timeline.ts";
import { undo } from "./undo.ts";
import { unwatch } from "./unwatch.ts";
import { watch } from "./watch.ts";
import { watchEvents } from "./watch-events.ts";
import { watches } from "./watches.ts";
import { wayColumns } from "./way-columns.ts";
import { write } from "./write.ts";

/** Everything that can be done with a memory, in the order of the reference. The names are those of the library. */
export const OPERATIONS = {
  stats,
  search,
  remember,
  ingestDetections,
  ingestCaptions,
  write,
  sources,
  startSource,
  stopSource,
  retain,
  ask,
  list,
  record,
  history,
  blob,
  forget,
  saidByName,
  audit,
  scene,
  mapChunk,
  grounds,
  ground,
  stateColumns,
  wayColumns,
  life,
  timeline,
  diff,
  coverage,
  route,
  goal,
  correct,
  name,
  undo,
  corrections,
  changes,
  watch,
  watches,
  unwatch,
  watchEvents,
} as const;

export type OperationName = keyof typeof OPERATIONS;

/** The same for code that treats all alike. */
export const ALL_OPERATIONS: readonly (readonly [OperationName, Operation])[] = Object.entries(
  OPERATIONS,
) as never;
