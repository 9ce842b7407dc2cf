import type { Intrinsics, Transform } from "../../geometry/index.ts";
import { angleBetween, apply, compose, distance, normalize, subtract } from "../../geometry/index.ts";
import type { DepthImage, Percept } from "../../schema/core.ts";
import type { PresenceSettings } from "../settings.ts";
import { FrameView, missProbability } from "./frame-view.ts";
import type { PlaceOf } from "./shape.ts";
import { isUsualSide, type Thing } from "./thing.ts";

/** A quarter of an hour of going about; seven megabytes of small depth images. */
const MOST_VIEWS = 768;
/** Every second row and column is enough to see whether a place is empty. */
const EVERY = 2;
/** A view is kept when it shows something new, or after a while. */
const STEP_M = 0.5;
const TURN_RAD = 0.35;
const AGAIN_US = 20_000_000;
/** Looks this shortly before the first are of the same moment. */
const BEFORE_US = 3_000_000;
/** Odds at which a place was empty before, from this many looks at least. */
const EMPTY_ODDS = 5;
const EMPTY_LOOKS = 3;
const MOST_PER_LOOK = 1.2;
const LEAST_PX = 60;
/** Small things only are missed by a detector; a wardrobe that was not there was seen through. */
const SMALL_M = 0.8;

interface PastView {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly intrinsics: Intrinsics;
  readonly depth: DepthImage;
}

/** When a place was last seen without the thing that is there now. */
export interface SeenEmpty {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
}

/**
 * Depth images of the last while, small and few, to ask afterwards what could not be asked before: whether the
 * place of a thing that has just been met had been looked at without it. That is the difference between a thing
 * that came and a thing that was merely discovered, and the first of A-R7's four stamps.
 */
export class PastViews {
  readonly #views: PastView[] = [];

  keep(percept: Percept): void {
    const { depth, submap, submapFromCamera, timeUs, agentId, observationId, intrinsics } = percept;
    if (!depth) return;
    const isKnown = this.#views.some(
      (view) =>
        view.submap === submap &&
        Math.abs(view.timeUs - timeUs) < AGAIN_US &&
        distance(view.submapFromCamera.p, submapFromCamera.p) < STEP_M &&
        angleBetween(view.submapFromCamera.q, submapFromCamera.q) < TURN_RAD,
    );
    if (isKnown) return;
    const small = thinned(depth);
    this.#views.push({ timeUs, agentId, observationId, submap, submapFromCamera, intrinsics, depth: small });
    if (this.#views.length > MOST_VIEWS) this.#views.shift();
  }

  /** The last look at a thing's place before its first sighting, if looks then say that it was not there. */
  lastEmpty(thing: Thing, placeOf: PlaceOf, presence: PresenceSettings): SeenEmpty | undefined {
    let odds = 0;
    let looks = 0;
    let last: PastView | undefined;
    for (const view of this.#views) {
      const place = placeOf(view.submap);
      if (!place || view.timeUs > thing.evidence.firstSeenUs - BEFORE_US) continue;
      if (distance(apply(place, view.submapFromCamera.p), thing.centre) > presence.rangeM) continue;
      const frame = new FrameView(
        compose(place, view.submapFromCamera),
        view.intrinsics,
        view.depth,
        presence,
      );
      const probe = frame.probe(thing.worldBox, []);
      if (!probe || probe.tested < 5) continue;
      const px = (thing.shape.fill * probe.expectedPx * (probe.tested - probe.occluded)) / probe.tested;
      const isThrough = probe.through >= presence.absentShare * probe.tested;
      if (px < LEAST_PX || probe.occluded > 0.5 * probe.tested) continue;
      // The other face of the wall that a picture hangs on is as near as depth can tell, and never shows it.
      const isMissed =
        thing.diagonalM < SMALL_M &&
        isUsualSide(thing, normalize(subtract(frame.cameraInWorld, thing.centre)));
      if (!isThrough && !isMissed) continue;
      odds += isThrough ? MOST_PER_LOOK : Math.min(MOST_PER_LOOK, -Math.log(missProbability(px)));
      looks++;
      if (!last || view.timeUs > last.timeUs) last = view;
    }
    if (!last || looks < EMPTY_LOOKS || odds < EMPTY_ODDS) return undefined;
    return { timeUs: last.timeUs, agentId: last.agentId, observationId: last.observationId };
  }
}

function thinned({ data, width, height, unitM }: DepthImage): DepthImage {
  const [w, h] = [Math.floor(width / EVERY), Math.floor(height / EVERY)];
  const small = new Uint16Array(w * h);
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++) small[j * w + i] = data[j * EVERY * width + i * EVERY]!;
  }
  return { data: small, width: w, height: h, unitM };
}
