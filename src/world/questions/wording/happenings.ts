import type { WordingTable } from "./wording.ts";

/** Time, change, motion, and what the agent itself did. */
export const HAPPENINGS: WordingTable = {
  "temporal/last-seen": {
    dev: ["When did you last see {thing}?", "When was the last time you saw {thing}?"],
    test: [
      "How long ago did {thing} come into your view most recently?",
      "At what time was your latest look at {thing}?",
      "Can you remember when you passed {thing} for the last time?",
    ],
  },
  "temporal/first-seen": {
    dev: ["When did you first see {thing}?", "When was the first time you saw {thing}?"],
    test: [
      "At what time did {thing} first come into your view?",
      "How long ago did you discover {thing}?",
      "Can you remember when you met with {thing} for the very first time?",
    ],
  },
  "temporal/before": {
    dev: ["Did you see {first} before {second}?", "Did you first see {first} before you saw {second}?"],
    test: [
      "Was {first} in your view earlier than {second}?",
      "Which came first on your tour: can you confirm it was {first} and not {second}?",
      "Had you already seen {first} by the time you discovered {second}?",
    ],
  },
  "temporal/gap": {
    dev: [
      "How much time passed between first seeing {first} and first seeing {second}?",
      "How long after you first saw {first} did you see {second}?",
    ],
    test: [
      "You discovered {first}, and some time later {second}. How long did that take?",
      "What was the time from your first look at {first} to your first look at {second}?",
      "Starting the clock at the first sight of {first}, when did {second} turn up?",
    ],
  },
  "ego/visited": {
    dev: ["Did you go into {room}?", "Have you been in {room}?"],
    test: [
      "Was {room} part of your tour?",
      "Did your way lead you through {room} at any point?",
      "Have you set foot, so to speak, in {room}?",
    ],
  },
  "ego/times": {
    dev: ["How many times did you enter {room}?", "How often were you in {room}?"],
    test: [
      "What is the number of visits you paid to {room}?",
      "On how many separate occasions have you been in {room}?",
      "Count your stays in {room}, please.",
    ],
  },
  "ego/duration": {
    dev: ["How long were you in {room}?", "How long did you spend in {room}?"],
    test: [
      "Adding up all visits, how much time did you stay in {room}?",
      "What is the total time you passed in {room}?",
      "For how long have you been in {room}, all in all?",
    ],
  },
  "ego/next-room": {
    dev: [
      "Which room did you go to right after you were first in {room}?",
      "Where did you go after your first visit to {room}?",
    ],
    test: [
      "Having left {room} for the first time, what room did you enter next?",
      "What was the next stop on your tour after {room}, the first time round?",
      "After seeing {room} for the first time you moved on. To which room?",
    ],
  },
  "ego/room-ago": {
    dev: ["Which room were you in {when}?", "Where were you {when}?"],
    test: [
      "What was your whereabouts {when}; in what room?",
      "Can you recall the room that you were visiting {when}?",
      "Try to remember {when}: what part of the house surrounded you?",
    ],
  },
  "ego/distance": {
    dev: ["How far did you travel in the last {span}?", "What distance did you drive in the last {span}?"],
    test: [
      "Over the past {span}, how many metres have you covered?",
      "What way did you put behind you during the past {span}?",
      "Tell me the length of your path over the past {span}.",
    ],
  },
  "change/moved": {
    dev: ["Has {thing} been moved since you first saw it?", "Was {thing} moved?"],
    test: [
      "Did anybody put {thing} somewhere else in the meantime?",
      "Is {thing} in another place now than when you discovered it?",
      "Has the place of {thing} changed while you were around?",
    ],
  },
  "change/where-before": {
    dev: ["Where was {thing} before it was moved?", "Where was {thing} before?"],
    test: [
      "From what place was {thing} taken when somebody moved it?",
      "{thing} used to be somewhere else. Where?",
      "What was the former place of {thing}?",
    ],
  },
  "change/where-now": {
    dev: ["Where is {thing} now?", "{thing} is not where it was. Where is it now?"],
    test: [
      "Somebody moved {thing}; where has it ended up?",
      "What is the present place of {thing}, after it was moved?",
      "Since its move, where does {thing} stand?",
    ],
  },
  "change/what-moved": {
    dev: ["What has been moved {since}?", "Which things changed their place {since}?"],
    test: [
      "Tell me everything that somebody put elsewhere {since}.",
      "Of what you know, what is no longer in its old place but in a new one {since}?",
      "Which objects got shifted around {since}?",
    ],
  },
  "change/what-gone": {
    dev: ["What has disappeared {since}?", "What has been removed {since}?"],
    test: [
      "Is there something missing that was taken away {since}? Name it.",
      "Which object went away {since}?",
      "Name whatever was there earlier and vanished {since}.",
    ],
  },
  "change/what-new": {
    dev: ["What is new {since}?", "What has been added {since}?"],
    test: [
      "Which object turned up {since} that had not been in the house earlier?",
      "Name whatever appeared for the first time {since}.",
      "Did something arrive {since}, and if so what?",
    ],
  },
  "change/state": {
    dev: ["Has {thing} {verb} {since}?", "Did you notice whether {thing} has {verb} {since}?"],
    test: [
      "Can you confirm that {thing} has {verb} {since}?",
      "Is it true that {thing} has {verb} {since}?",
      "Would you say {thing} has {verb} {since}?",
    ],
  },
  "predictive/stays": {
    dev: ["Will {thing} still be where it is now in {span}?", "Will {thing} still be there in {span}?"],
    test: [
      "If I come back in {span}, can I expect {thing} in its present place?",
      "Do you think {thing} is going to stay put for {span}?",
      "How likely is it that {thing} remains there over {span}: will it?",
    ],
  },
  "carried/what": {
    dev: ["What was {person} last carrying?", "What did {person} carry?"],
    test: [
      "When {person} carried something most recently, what was it?",
      "Which object did you see in {person}'s hands last?",
      "{person} took something along. What was that?",
    ],
  },
  "carried/who": {
    dev: ["Who moved {thing}?", "Who carried {thing}?"],
    test: [
      "By whom was {thing} taken elsewhere?",
      "Which person did you see with {thing} in hand?",
      "Can you tell me who has been carrying {thing} around?",
    ],
  },
  "carried/where-put": {
    dev: ["Where did {person} put {thing}?", "Where did {person} take {thing}?"],
    test: [
      "{person} carried {thing} off. To what place?",
      "After {person} picked up {thing}, where did it end up?",
      "Could you say where {person} set down {thing}?",
    ],
  },
  "motion/direction": {
    dev: ["Which way was {person} moving {when}?", "In which direction was {person} moving {when}?"],
    test: [
      "Seen from where you were {when}, did {person} go left, right, towards you or away?",
      "{when}, where was {person} heading from your point of view?",
      "Describe the direction in which {person} moved {when}, as you saw it.",
    ],
  },
  "motion/towards": {
    dev: ["Was {person} walking towards {mark} {when}?", "Did {person} move towards {mark} {when}?"],
    test: [
      "{when}, was {person} getting nearer to {mark}?",
      "Did the distance between {person} and {mark} shrink {when}?",
      "Could one say that {person} approached {mark} {when}?",
    ],
  },
  "motion/walking": {
    dev: ["Was {person} walking {when}?", "Was {person} moving {when}?"],
    test: [
      "{when}, did you see {person} on the move?",
      "Did {person} change place {when}, rather than stay put?",
      "Was it so that {person} walked about {when}?",
    ],
  },
  "motion/speed": {
    dev: ["How fast was {person} walking {when}?", "What was the speed of {person} {when}?"],
    test: [
      "{when} {person} was on the move: at how many metres per second?",
      "Estimate the walking pace of {person} {when}.",
      "At what rate did {person} get along {when}?",
    ],
  },
  "motion/own-turn": {
    dev: ["Which way were you turning {when}?", "Were you turning clockwise or counter-clockwise {when}?"],
    test: [
      "{when}, did you rotate to the left or to the right?",
      "Into which direction did you spin {when}?",
      "Tell me the sense of your rotation {when}, clockwise or the other way.",
    ],
  },
};
