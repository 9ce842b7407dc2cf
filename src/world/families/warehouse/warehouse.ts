import { Random } from "../../../geometry/index.ts";
import { planTour } from "../../agents/index.ts";
import type { Family } from "../family.ts";
import { layOutWarehouse } from "./layout.ts";
import { liveWarehouse } from "./life.ts";

const AISLES = 5;
const WORKERS = 2;
/** Things that happen in an hour of a quiet shift. */
const RATE = 60;
const MOTION = { speedMps: 1, turnRadps: 1 } as const;

/** WH-VQA's world: numbered slots, boxes that differ by their labels, deliveries and orders. */
export const warehouse: Family = {
  camera: { tiltDeg: -8, horizontalFovDeg: 110 },
  drift: 1,
  make({ seed, startUs, durationUs, rate = RATE, people = WORKERS, rooms = AISLES }) {
    const random = new Random(seed).fork("warehouse");
    const plan = layOutWarehouse(seed, rooms, random.fork("layout"));
    const life = { startUs, durationUs, rate, workers: people };
    const timeline = liveWarehouse(plan, life, random.fork("life"));
    const { house, lanes, stops } = plan;
    return {
      timeline,
      tour: (request) => planTour({ ...request, house, navigator: lanes, stops, motion: MOTION }),
    };
  },
};
