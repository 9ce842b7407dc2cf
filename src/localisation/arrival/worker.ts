import { parentPort, workerData } from "node:worker_threads";
import type { ArrivalView, Cloud } from "./cloud.ts";
import { recogniseArrival } from "./recognise.ts";

const { known, views } = workerData as { readonly known: Cloud; readonly views: readonly ArrivalView[] };
parentPort!.postMessage(recogniseArrival(known, views));
