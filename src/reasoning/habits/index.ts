export { learnHabits } from "./learn.ts";
export { stillThere } from "./leaving.ts";
export { habitsOf, observedSpans } from "./load.ts";
export * from "./occasions.ts";
export { type HabitParameters, PARAMETERS } from "./parameters.ts";
export * from "./types.ts";
export * from "./usual.ts";
