export { ClipCaptioner } from "./clip-captioner.ts";
export type { CaptionInput } from "./clip-window.ts";
export { detectAhead, detectIn } from "./detect/detect-frames.ts";
export { FloatingViews } from "./detect/floating-views.ts";
export { readSignsIn } from "./detect/read-signs.ts";
export { Perception } from "./perception.ts";
export * from "./posed-frame.ts";
export { redacted } from "./redact.ts";
export { type KeptView, ViewKeeper } from "./view-keeper.ts";
