// The steps of the eyes' net over planes of 32-bit numbers. A picture of C channels is C planes, each a stride of
// numbers apart; a stride is a multiple of 8, so blocks of 8 pixels need no remainder. All sums go in one fixed order
// and nothing is fused, so every CPU gives the same bits.
export { depth, unfold } from "./depth";
export { likeliest, scale, sigmoid, softmax } from "./finish";
export { add, pool, spread, up } from "./planes";
export { point } from "./point";
