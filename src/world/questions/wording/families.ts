import type { WordingTable } from "./wording.ts";

/** Kinds that only warehouses and drives have. */
export const FAMILY_WORDINGS: WordingTable = {
  "stock/slot-of": {
    dev: ["Which slot is {thing} in?", "In which slot is {thing}?", "What slot holds {thing}?"],
    test: [
      "On which shelf is {thing} stored?",
      "What is the slot number of {thing}?",
      "Which shelf do I find {thing} on?",
    ],
  },
  "stock/in-slot": {
    dev: ["What is in slot {slot}?", "What is on shelf {slot}?"],
    test: [
      "Which box is in slot {slot}?",
      "What does slot {slot} hold?",
      "Name what somebody put into slot {slot}.",
    ],
  },
  "stock/empty": {
    dev: ["Is slot {slot} empty?", "Is there nothing in slot {slot}?"],
    test: ["Is slot {slot} free?", "Is shelf {slot} empty?", "Is the slot {slot} unoccupied?"],
  },
  "stock/count": {
    dev: ["How many boxes say “{sku}”?", "How many boxes of “{sku}” are there?"],
    test: [
      "How many boxes labelled “{sku}” do we have?",
      "How many boxes of SKU {sku} are in stock?",
      "How many of “{sku}” have we got?",
    ],
  },
  "stock/zone": {
    dev: ["Which aisle or bay is {thing} in?", "In which zone is {thing}?"],
    test: [
      "What zone is {thing} in?",
      "Which area is {thing} in?",
      "In which part of the warehouse is {thing}?",
    ],
  },
  "stock/slot-before": {
    dev: ["Which slot was {thing} in before?", "In which slot was {thing} before it was moved?"],
    test: [
      "Which slot did {thing} come from?",
      "What shelf was {thing} on before?",
      "Where on the racks was {thing} before: in which slot?",
    ],
  },
  "stock/arrived": {
    dev: ["When was {thing} delivered?", "When did {thing} arrive?"],
    test: [
      "At what time did {thing} come in?",
      "When was {thing} brought in?",
      "How long ago was {thing} delivered?",
    ],
  },
  "this/slot": {
    dev: ["Which slot is this box in?", "In which slot is this?"],
    test: ["What is the slot number of this box?", "On which shelf is this box stored?"],
  },
  "this/alike": {
    dev: [
      "How many other boxes have the same label as this one?",
      "How many more boxes like this are there?",
    ],
    test: ["How many other boxes say the same as this one?", "How many further boxes have this label?"],
  },
  "drive/passed": {
    dev: ["Did you pass {thing}?", "Have you seen {thing} on the way?"],
    test: ["Was there {thing} along the way?", "Did you come past {thing}?", "Have you driven by {thing}?"],
  },
};
