export type { ClaimVerdict, Judged, Support } from "./judged.ts";
export { type StatedClaim, statedClaimSchema } from "./stated-claim.ts";
export { type ClaimContext, type Said, type Verified, verifyClaims } from "./verify-claims.ts";
