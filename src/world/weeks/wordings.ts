import type { WordingTable } from "../questions/wording/wording.ts";

/**
 * How people ask about days and weeks. {when} is "on Tuesday evening", {at} "at eight tomorrow evening", {place} "on
 * the dining table", {part} "in the evening". The two sets share no wording.
 */
export const WEEK_WORDINGS: WordingTable = {
  "past/where": {
    dev: ["Where was {thing} {when}?", "Where did you see {thing} {when}?", "{when}, where was {thing}?"],
    test: [
      "Do you remember where {thing} was {when}?",
      "Whereabouts did {thing} lie {when}?",
      "Thinking back, {when}, what place was {thing} in?",
    ],
  },
  "past/person": {
    dev: ["Where was {thing} {when}?", "Which room was {thing} in {when}?"],
    test: ["Do you remember where {thing} was {when}?", "What room did you come across {thing} in {when}?"],
  },
  "past/unseen": {
    dev: ["Where was {thing} {when}?", "Where did you see {thing} {when}?"],
    test: ["Do you remember where {thing} was {when}?", "Thinking back, {when}, what place was {thing} in?"],
  },
  "present/where": {
    dev: ["Where is {thing} now?", "Where is {thing}?"],
    test: ["Where would I find {thing} right now?", "I need {thing}, any idea where it has got to?"],
  },
  "several/which-days": {
    dev: ["On which days was {thing} {place}?", "On which days did you see {thing} {place}?"],
    test: [
      "What days this past week did {thing} turn up {place}?",
      "Name the days when {thing} was {place}.",
    ],
  },
  "several/how-many-days": {
    dev: ["On how many days was {thing} {place}?", "On how many days did you see {thing} {place}?"],
    test: [
      "How many days this past week did {thing} turn up {place}?",
      "Count the days when you found {thing} {place}.",
    ],
  },
  "several/state-days": {
    dev: [
      "On how many days was {thing} {state} {part}?",
      "How many days did you see {thing} {state} {part}?",
    ],
    test: [
      "Over the past week, how many days was {thing} {state} {part}?",
      "Count the days when {thing} was {state} {part}.",
    ],
  },
  "usual/where": {
    dev: ["Where is {thing} usually {part}?", "Where is {thing} normally {part}?"],
    test: [
      "As a rule, where does one find {thing} {part}?",
      "Most days, what is the place of {thing} {part}?",
      "{part}, where does {thing} tend to be?",
    ],
  },
  "usual/person": {
    dev: ["Where is {thing} usually {part}?", "In which room is {thing} usually {part}?"],
    test: [
      "As a rule, what room does one meet {thing} in, {part}?",
      "Most days, where would I meet {thing} {part}?",
    ],
  },
  "usual/when": {
    dev: ["When is {thing} usually {state}?", "At what time of day is {thing} normally {state}?"],
    test: [
      "What time of day do we normally have {thing} {state}?",
      "As a rule, when does one see {thing} {state}?",
    ],
  },
  "likely/where": {
    dev: ["Where will {thing} probably be {at}?", "Where is {thing} likely to be {at}?"],
    test: [
      "If I look for {thing} {at}, where should I try first?",
      "Your best guess: where can I get hold of {thing} {at}?",
    ],
  },
  "unusual/is": {
    dev: [
      "Is it unusual that {thing} is {place} now?",
      "Is it unusual for {thing} to be {place} at this time?",
    ],
    test: [
      "Is it out of the ordinary that {thing} is {place} at this hour?",
      "Strange for {thing} to be {place} right now, isn't it?",
    ],
  },
  "since/how-long": {
    dev: ["How long has {thing} been {place}?", "Since when has {thing} been {place}, how long is that?"],
    test: [
      "For how long now has {thing} been sitting {place}?",
      "What length of time has {thing} spent {place} so far?",
    ],
  },
};
