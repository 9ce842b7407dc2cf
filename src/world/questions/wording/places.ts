import type { WordingTable } from "./wording.ts";

/** Space, size, state and capacity. */
export const PLACES: WordingTable = {
  "spatial/standing": {
    dev: [
      "If I stand at {at} and face {facing}, is {thing} to my left, to my right or behind me?",
      "Standing at {at} and looking at {facing}, where is {thing}: left, right or behind?",
    ],
    test: [
      "Imagine being at {at} with your eyes on {facing}. On which side would {thing} be, left, right or at your back?",
      "From {at}, with {facing} straight ahead, do I have to turn left, right or all the way round to see {thing}?",
      "I am next to {at} and look towards {facing}. Which side is {thing} on?",
    ],
  },
  "spatial/distance": {
    dev: ["How far is {first} from {second}?", "What is the distance between {first} and {second}?"],
    test: [
      "How many metres apart are {first} and {second}, at their closest points?",
      "Measure the gap between {first} and {second} for me.",
      "Between {first} and {second} there is how much space?",
    ],
  },
  "spatial/past-ego": {
    dev: ["What object was to the {side} of me {when}?", "What was on your {side} {when}?"],
    test: [
      "Think back: {when}, which piece of furniture did you have on your {side}?",
      "What stood to your {side} {when}?",
      "{when}, what would you have bumped into going {side}?",
    ],
  },
  "spatial/past-ego-is": {
    dev: ["Was {thing} on your {side} {when}?", "Was {thing} to the {side} of me {when}?"],
    test: [
      "{when}, did you have {thing} on your {side}?",
      "Thinking back to {when}: was {thing} off to the {side}?",
      "Would you have seen {thing} by turning {side} {when}?",
    ],
  },
  "spatial/entering": {
    dev: [
      "If I enter {room} from {from} and look to my {side}, what do I see?",
      "Entering {room} from {from}, what is on the {side}?",
    ],
    test: [
      "Somebody comes into {room} out of {from} and turns to the {side}. Which piece of furniture is there?",
      "What stands to the {side} of the doorway when you walk from {from} into {room}?",
      "Coming from {from}, what will be on my {side} as I step into {room}?",
    ],
  },
  "state/is": {
    dev: ["Is {thing} {value}?", "Is {thing} {value} right now?"],
    test: [
      "Would you say that {thing} is {value}?",
      "As far as you know, is {thing} {value} at the moment?",
      "Can you confirm that {thing} is {value}?",
    ],
  },
  "state/which": {
    dev: ["Is {thing} {first} or {second}?", "Is {thing} currently {first} or {second}?"],
    test: [
      "What state is {thing} in, {first} or {second}?",
      "{thing}: {first}, or rather {second}?",
      "Please tell me whether {thing} is {first} or {second}.",
    ],
  },
  "state/last-seen": {
    dev: ["When you last saw {thing}, was it {value}?", "Was {thing} {value} the last time you saw it?"],
    test: [
      "At your latest look at {thing}, did you find it {value}?",
      "Going by your most recent sight of {thing}, was it {value}?",
      "Did {thing} appear {value} when you passed it last?",
    ],
  },
  "comparison/bigger": {
    dev: ["Is {first} bigger than {second}?", "Is {first} larger than {second}?"],
    test: [
      "Does {first} take up more space than {second}?",
      "Compared with {second}, is {first} the bigger one?",
      "Would you say that {first} exceeds {second} in size?",
    ],
  },
  "comparison/taller": {
    dev: ["Is {first} taller than {second}?", "Is {first} higher than {second}?"],
    test: [
      "Does {first} reach higher up than {second}, counting each from its own foot?",
      "Put side by side, would {first} overtop {second}?",
      "In terms of height, does {first} beat {second}?",
    ],
  },
  "comparison/closer": {
    dev: ["Is {first} closer to {second} than to {third}?", "Is {first} nearer to {second} than to {third}?"],
    test: [
      "Does {first} stand closer to {second} than it does to {third}?",
      "From {first}, is it a shorter way to {second} than to {third}?",
      "Of {second} and {third}, is {second} the one nearer to {first}?",
    ],
  },
  "comparison/room-bigger": {
    dev: ["Is {first} bigger than {second}?", "Is {first} larger than {second}?"],
    test: [
      "Does {first} have more floor space than {second}?",
      "Comparing {first} and {second}, is the first one the larger room?",
      "Would {first} hold more than {second}, going by its area?",
    ],
  },
  "comparison/more": {
    dev: [
      "Are there more {things} in {first} than in {second}?",
      "Does {first} have more {things} than {second}?",
    ],
    test: [
      "Counting the {things}, does {first} come out ahead of {second}?",
      "Is the number of {things} in {first} higher than in {second}?",
      "Would I find more {things} by going to {first} instead of {second}?",
    ],
  },
  "comparison/largest": {
    dev: ["Which of these is the largest?", "Which of these things is the biggest?"],
    test: [
      "Among the following, what takes up the most space?",
      "Pick the object with the greatest size.",
      "Out of these four, which one is larger than all the others?",
    ],
  },
  "comparison/nearest": {
    dev: ["Which of these is closest to {anchor}?", "Which of these is nearest to {anchor}?"],
    test: [
      "Of the following, what stands the shortest way from {anchor}?",
      "Pick the one that is least far from {anchor}.",
      "Starting at {anchor}, which of the options would I reach first?",
    ],
  },
  "comparison/room-most": {
    dev: ["Which room has the most {things}?", "In which room are there the most {things}?"],
    test: [
      "Where would I find the largest number of {things}: in what room?",
      "Rank the rooms by their {things}. Which one comes first?",
      "What is the room with more {things} than any other?",
    ],
  },
  "comparison/room-largest": {
    dev: ["Which of these rooms is the largest?", "Which of these rooms is the biggest?"],
    test: [
      "Among these rooms, what has the greatest floor area?",
      "Pick the room that offers the most floor space.",
      "Out of these four rooms, which one is roomier than the rest?",
    ],
  },
  "capacity/anything-on": {
    dev: ["Is there anything on {host}?", "Is anything standing on {host}?"],
    test: [
      "Has something been put on {host}?",
      "Does {host} have any object on top?",
      "Is even a single thing lying on {host}?",
    ],
  },
  "capacity/room-for": {
    dev: ["Is there still room on {host} for {thing}?", "Would {thing} fit on {host}?"],
    test: [
      "Could I put {thing} down on {host} without moving anything?",
      "Does {host} have enough free space left to take {thing}?",
      "Going by its size, can {host} hold {thing} as well?",
    ],
  },
  "capacity/seats": {
    dev: ["How many people can sit down in {room} right now?", "How many free seats are there in {room}?"],
    test: [
      "For how many guests is there still a seat in {room}?",
      "Counting chairs and sofas, how many more people could {room} seat?",
      "What is the number of seats not taken in {room}?",
    ],
  },
  "nearest/walk": {
    dev: ["Where is the nearest {thing}?", "Where is the closest {thing} from here?"],
    test: [
      "Which {thing} do I reach first on foot, and where is it?",
      "Show me the way to whichever {thing} is nearest to us.",
      "I need {aThing}, the sooner the better. Where do I go?",
    ],
  },
};
