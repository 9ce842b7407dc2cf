import type { Transform } from "../geometry/index.ts";
import { PoseCorrector } from "../localisation/index.ts";
import { SceneMap } from "../map/index.ts";
import { BestLooks, ClipCaptioner, type ViewAlbum, ViewKeeper } from "../perception/index.ts";
import { EgoDiary, Tracker } from "../tracking/index.ts";
import type { MapFrames } from "./map-frames.ts";
import type { PipelineOptions } from "./options.ts";

/** Views of earlier runs to compare new ones with. */
const RESTORED_VIEWS = 1_000;

/** The stages of one map that keep state between frames. */
export interface Stages {
  /** Absent if poses are used as they are. */
  readonly corrector: PoseCorrector | undefined;
  readonly tracker: Tracker;
  readonly map: SceneMap;
  readonly views: ViewKeeper;
  readonly clips: ClipCaptioner;
  readonly diary: EgoDiary;
  /** Kept if a model will name things. */
  readonly looks: BestLooks | undefined;
  /** The same without greying, if a reader will read text on things. */
  readonly prints: BestLooks | undefined;
  updatedUs: number;
  lastUs: number;
}

/** Restores the views of earlier runs, so that the same sight from the same place is not kept twice. */
async function restoredViews(
  { reader, mode, sceneId, viewPx }: PipelineOptions,
  root: string,
  frames: MapFrames,
  album: ViewAlbum,
): Promise<ViewKeeper> {
  const views = new ViewKeeper({ mode, album, ...(viewPx !== undefined && { sidePx: viewPx }) });
  const { hits } = await reader.search({
    kinds: ["view"],
    where: { sceneId: [sceneId] },
    rank: "latest",
    limit: RESTORED_VIEWS,
  });
  for (const { record } of hits.toReversed()) {
    if (record.kind !== "view" || record.signature === undefined || record.anchor === undefined) continue;
    if (frames.rootOf(record.anchor.submap) !== root) continue;
    album.restore(record);
    const signature = await reader.blob(record.signature);
    if (signature) views.restore(record, signature);
  }
  views.correct((submap) => frames.rootFrom(submap));
  return views;
}

/** Opens the stages of one map where an earlier run stopped. */
export async function openStages(
  options: PipelineOptions,
  root: string,
  { frames, album }: { readonly frames: MapFrames; readonly album: ViewAlbum },
): Promise<Stages> {
  const { reader, background, sceneId, mode, labels, embedder, models } = options;
  const { adjudicator, summariser, captioner } = models;
  const rootFrom = (submap: string): Transform | undefined =>
    frames.rootOf(submap) === root ? frames.rootFrom(submap) : undefined;
  const tracker = await Tracker.open(reader, {
    sceneId,
    background,
    mode,
    embedder,
    worldFromSubmap: rootFrom,
    adjudicator,
  });
  return {
    corrector: mode === "paper" ? undefined : new PoseCorrector(),
    tracker,
    map: await SceneMap.open(reader, {
      sceneId,
      labels,
      worldFromSubmap: rootFrom,
      root,
      ...(summariser && { summariser }),
    }),
    views: await restoredViews(options, root, frames, album),
    clips: new ClipCaptioner(captioner && { captioner }),
    looks: models.describer && new BestLooks(),
    prints: models.reader && new BestLooks({ plain: true }),
    diary: new EgoDiary({ sceneId, landmarks: (near) => tracker.things(near) }),
    updatedUs: -Infinity,
    lastUs: -Infinity,
  };
}
