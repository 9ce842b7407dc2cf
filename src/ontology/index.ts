export {
  attributeOf,
  attributesOf,
  colourOf,
  kinColour,
  materialOf,
  oppositeOf,
  sameColour,
  sameMaterial,
  usualMaterial,
  valuesOf,
} from "./appearance.ts";
export {
  areKin,
  fills,
  hangsOn,
  holds,
  isKindOf,
  isReadable,
  kindsOf,
  mobilityOf,
  movesItself,
  opens,
  partsOf,
  supports,
  switches,
  typicalSizeM,
  usualRooms,
} from "./facts.ts";
export { FIT, nameFit } from "./fit.ts";
export { headOf, longestName, lookup, meaningsOf, namesFor } from "./names.ts";
export { isPlural, pluralOf, singularOf } from "./nouns.ts";
export { helpsAgainst, purposesOf, purposeTexts, type Serving, servesPurpose } from "./purposes.ts";
export { roomFit, roomFor, roomKind, roomsLike } from "./rooms.ts";
export { stemsOf } from "./stems.ts";
export { isSurfaceWord, surfaceWords } from "./surface-words.ts";
export { expand, phrasesIn } from "./thesaurus.ts";
export { unitOf } from "./units.ts";
