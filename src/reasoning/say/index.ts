export type { Rival, Said, SayContext } from "./said.ts";
export { say } from "./say.ts";
