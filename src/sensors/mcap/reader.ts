/** A stand-in until the readers are in one place: the reader as it was. */
export { openMcap } from "../mcap-old/reader.ts";
