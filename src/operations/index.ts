export { askInputSchema } from "./ask.ts";
export type { Actor } from "./context.ts";
export {
  type CarryOut,
  localFace,
  type MemoryFace,
  methodsOver,
  type OperationMethods,
  type Talk,
} from "./face.ts";
export {
  type CommandOffer,
  changesMemory,
  type HttpAddress,
  type Operation,
  SCOPES,
  type Scope,
} from "./operation.ts";
export { innerOf, isOf } from "./schema-kind.ts";
export { ALL_OPERATIONS, OPERATIONS, type OperationName } from "./table.ts";
