export type { Entry, Hanging, Mobility } from "./entry.ts";
export {
  fills,
  hangsOn,
  holds,
  isKindOf,
  isReadable,
  kindsOf,
  mobilityOf,
  opens,
  partsOf,
  supports,
  switches,
  typicalSizeM,
  usualRooms,
} from "./facts.ts";
export { FIT, nameFit } from "./fit.ts";
export {
  type Attribute,
  attributeOf,
  attributesOf,
  colourOf,
  kinColour,
  lookWords,
  materialOf,
  oppositeOf,
  sameColour,
  sameMaterial,
  valuesOf,
} from "./looks.ts";
export { headOf, longestName, lookup, meaningsOf, type NameFound, namesFor } from "./names.ts";
export { isPlural, pluralOf, singularOf } from "./nouns.ts";
export { helpsAgainst, purposesOf, purposeTexts, type Serving, servesPurpose } from "./purposes.ts";
export { type RoomKind, roomFit, roomFor, roomKind, roomNames, roomsLike } from "./rooms.ts";
export { stemOf, stemsOf } from "./stems.ts";
export { expand, phrasesIn } from "./thesaurus.ts";
export { type Unit, unitOf } from "./units.ts";
export { isSurfaceWord, surfaceWords } from "./words.ts";
