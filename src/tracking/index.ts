export { EgoDiary } from "./ego-diary.ts";
export { Tracker } from "./tracker.ts";
