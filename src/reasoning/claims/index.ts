export { amountIn, isNear } from "./amounts.ts";
export type { ClaimVerdict, Judged, Support } from "./judged.ts";
export { type ClaimContext, verifyClaims } from "./verify-claims.ts";
