export type { ClaimVerdict, Judged, Support } from "./judged.ts";
export { type ClaimContext, type Said, type Verified, verifyClaims } from "./verify-claims.ts";
