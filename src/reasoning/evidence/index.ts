export { asksForLooks, type LookKeys, picturesFor } from "./attached.ts";
export {
  type CaptionLine,
  type CardOptions,
  type Cards,
  captionLines,
  cardOf,
  cardsOf,
  sizeText,
} from "./cards.ts";
export type { EvidenceContext } from "./context.ts";
export {
  factsOf,
  factsOfAll,
  type HeldFact,
  type Named,
  roomFact,
  type StateSpan,
  type StayFact,
  shortOf,
  type ThingFacts,
} from "./facts.ts";
export { type Picture, type PictureOf, type PictureOptions, picturesOf, type Visible } from "./pictures.ts";
export { ShortIds, type ShortKind } from "./short-ids.ts";
export { spanText, timeText } from "./times.ts";
export { bestViewsOf, type Shown } from "./views.ts";
