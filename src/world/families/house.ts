import { planTour } from "../agents/index.ts";
import { makeTimeline } from "../dynamics/index.ts";
import { generateHouse } from "../house/index.ts";
import { Navigation } from "../navigation/index.ts";
import type { Family } from "./family.ts";

/** HM3D's and OpenEQA's world: furnished rooms, and people who move small things. */
export const house: Family = {
  camera: { tiltDeg: -30, horizontalFovDeg: 120 },
  drift: 1,
  make({ seed, startUs, durationUs, rate, people, rooms, floors, objects }) {
    const plan = generateHouse(seed, {
      ...(rooms !== undefined && { rooms }),
      ...(floors !== undefined && { floors }),
      ...(objects !== undefined && { objects }),
    });
    const timeline = makeTimeline(plan, {
      seed,
      startUs,
      durationUs,
      ...(rate !== undefined && { rate }),
      ...(people !== undefined && { people }),
    });
    const navigator = new Navigation(timeline);
    return { timeline, tour: (request) => planTour({ ...request, house: plan, navigator }) };
  },
};
