import type { Intrinsics, Transform } from "../../geometry/index.ts";
import { angleBetween, apply, compose, distance, normalize, subtract } from "../../geometry/index.ts";
import type { DepthImage, Percept } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { PRESENCE } from "../settings/presence.ts";
import { FrameView, missProbability } from "./frame-view.ts";
import type { PlaceOf } from "./shape.ts";
import { isUsualSide, type Thing } from "./thing.ts";

interface PastView {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly intrinsics: Intrinsics;
  readonly depth: DepthImage;
}

/** The last time a place was seen without the thing that is there now. */
export interface SeenEmpty {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
}

/**
 * Recent depth images, small and few, for questions about the past: whether the place of a new thing had been observed
 * without it. That distinguishes a thing that arrived from one that was merely discovered, and is the first of
 * docs/formulas.md#presence's four stamps.
 */
export class PastViews {
  readonly #views: PastView[] = [];

  keep(percept: Percept): void {
    const { depth, submap, submapFromCamera, timeUs, agentId, observationId, intrinsics } = percept;
    if (!depth) return;
    const isKnown = this.#views.some(
      (view) =>
        view.submap === submap &&
        Math.abs(view.timeUs - timeUs) < COMMON.visitUs &&
        distance(view.submapFromCamera.p, submapFromCamera.p) < PRESENCE.newViewM &&
        angleBetween(view.submapFromCamera.q, submapFromCamera.q) < 2 * COMMON.sideRad,
    );
    if (isKnown) return;
    const small = thinned(depth);
    this.#views.push({ timeUs, agentId, observationId, submap, submapFromCamera, intrinsics, depth: small });
    if (this.#views.length > PRESENCE.maxViews) this.#views.shift();
  }

  /** The last observation of a thing's place before its first sighting, if it shows the place without the thing. */
  lastEmpty(thing: Thing, placeOf: PlaceOf): SeenEmpty | undefined {
    let odds = 0;
    let looks = 0;
    let last: PastView | undefined;
    for (const view of this.#views) {
      const place = placeOf(view.submap);
      if (!place || view.timeUs > thing.evidence.firstSeenUs - COMMON.momentUs) continue;
      if (distance(apply(place, view.submapFromCamera.p), thing.centre) > PRESENCE.rangeM) continue;
      const frame = new FrameView(compose(place, view.submapFromCamera), view.intrinsics, view.depth);
      const probe = frame.probe(thing.worldBox, []);
      if (!probe || probe.tested < COMMON.minRays) continue;
      const px = (thing.shape.fill * probe.expectedPx * (probe.tested - probe.occluded)) / probe.tested;
      const isThrough = probe.through >= COMMON.majorityShare * probe.tested;
      if (px < COMMON.halfMissedPx || probe.occluded > 0.5 * probe.tested) continue;
      // The other face of a picture's wall is within the depth tolerance, and never shows the picture.
      const isMissed =
        thing.diagonalM < COMMON.smallM &&
        isUsualSide(thing, normalize(subtract(frame.cameraInWorld, thing.centre)));
      if (!isThrough && !isMissed) continue;
      odds += isThrough ? COMMON.lookOdds : Math.min(COMMON.lookOdds, -Math.log(missProbability(px)));
      looks++;
      if (!last || view.timeUs > last.timeUs) last = view;
    }
    if (!last || looks < COMMON.fewLooks || odds < COMMON.sureOdds) return undefined;
    return { timeUs: last.timeUs, agentId: last.agentId, observationId: last.observationId };
  }
}

function thinned({ data, width, height, unitM }: DepthImage): DepthImage {
  const [w, h] = [Math.floor(width / PRESENCE.thinning), Math.floor(height / PRESENCE.thinning)];
  const small = new Uint16Array(w * h);
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++)
      small[j * w + i] = data[j * PRESENCE.thinning * width + i * PRESENCE.thinning]!;
  }
  return { data: small, width: w, height: h, unitM };
}
