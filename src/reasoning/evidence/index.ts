export { looksAsked, picturesFor } from "./attached.ts";
export { captionLines, cardOf, cardsOf } from "./cards.ts";
export type { EvidenceContext } from "./context.ts";
export { factsOf, factsOfAll, roomFact, shortOf } from "./facts.ts";
export { type Picture, type PictureOf, picturesOf } from "./pictures.ts";
export { roomCard, visitsBy } from "./room-cards.ts";
export { ShortIds } from "./short-ids.ts";
export { spanText, timeText } from "./times.ts";
