export { type Gone, tells, withoutGone } from "./gone.ts";
export type { Looked } from "./look.ts";
export { WatchStore } from "./store.ts";
export { Watches } from "./watches.ts";
export type { WebhookPolicy } from "./webhook.ts";
