import type { WordingTable } from "./wording.ts";

/** What things and rooms are good for, the whole picture, pictures with "this", and two questions in one. */
export const PURPOSE_WORDINGS: WordingTable = {
  "functional/what": {
    dev: ["What can I use to {purpose}?", "What could I use if I want to {purpose}?"],
    test: [
      "I would like to {purpose}. Which object would help me?",
      "Is there anything around that lets me {purpose}? What?",
      "Name something in the house with which I can {purpose}.",
    ],
  },
  "functional/where": {
    dev: ["Where can I {purpose}?", "Where should I go to {purpose}?"],
    test: [
      "I need to {purpose}; take me to a place for that.",
      "Would you show me a spot where I am able to {purpose}?",
      "To {purpose}, which way do I have to go?",
    ],
  },
  "functional/action": {
    dev: ["{need}", "{need} Any advice?"],
    test: ["{need} Please help me.", "{need} You know the house, after all."],
  },
  "knowledge/room-type": {
    dev: ["What kind of room is {thing} in?", "What type of room has {thing}?"],
    test: [
      "The room with {thing} serves what purpose: which type of room is it?",
      "How would you call the kind of room that {thing} stands in?",
      "Judging by what is in it, {thing} belongs to which sort of room?",
    ],
  },
  "knowledge/here": {
    dev: ["Which room are you in?", "What room is this?"],
    test: [
      "Where in the house are we at the moment?",
      "How would you call the room around you?",
      "This here is what kind of room?",
    ],
  },
  "knowledge/sleeps": {
    dev: ["How many people can sleep here?", "How many people can sleep in this house?"],
    test: [
      "Counting single and double beds, this home sleeps how many?",
      "For how many persons is there a bed to sleep in?",
      "What is the number of people that the beds are meant for?",
    ],
  },
  "implicit/ambience": {
    dev: ["Find me a place that is {ambience}.", "Where is a place that is {ambience}?"],
    test: [
      "I would love to be somewhere {ambience}. Lead me there, please.",
      "Do you know a spot that could be called {ambience}?",
      "Bring me to some place {ambience}.",
    ],
  },
  "implicit/activity": {
    dev: ["Where should I go to {activity}?", "Find me a place to {activity}."],
    test: [
      "I feel like I want to {activity}; which place suits that?",
      "Would you bring me where one would normally {activity}?",
      "What would be the right place for somebody who wishes to {activity}?",
    ],
  },
  "implicit/company": {
    dev: ["Find me a place where somebody is.", "Where can I find some company?"],
    test: [
      "I feel lonely; bring me to another person, please.",
      "In what place would I run into a human being?",
      "Lead me to where there is some presence of people.",
    ],
  },
  "global/house": {
    dev: ["Describe the environment.", "What kind of place is this?"],
    test: [
      "Give me an overview of the whole place and its rooms.",
      "If you had to sum up this home for a visitor, what would you say?",
      "What does the place consist of, on the whole?",
    ],
  },
  "global/room": {
    dev: ["Describe {room}.", "What does {room} look like?"],
    test: [
      "Give me an overview of {room} and its furniture.",
      "How is {room} furnished, in the main?",
      "What would a visitor notice about {room}?",
    ],
  },
  "global/storage": {
    dev: ["How is storage organised here?", "Where are things stored in this house?"],
    test: [
      "Give me an overview of the furniture that serves for keeping things.",
      "By what means do the people here keep their belongings?",
      "Which kinds of storage does this home offer?",
    ],
  },
  "multimodal/another": {
    dev: ["Where is another one like this?", "Where else is there one of these?"],
    test: [
      "This one has a counterpart somewhere. Where?",
      "Besides the one in the picture, in what place is there one more?",
      "I need a second one of what you see here; where would I get it?",
    ],
  },
  "multimodal/first-seen": {
    dev: ["When did you first see this?", "When was the first time you saw this one?"],
    test: [
      "How long have you known this object?",
      "At what time did what is shown here first come into view?",
      "Looking at this one: when did you discover it?",
    ],
  },
  "multimodal/belongs": {
    dev: ["Where does this belong?", "Where was this before?"],
    test: [
      "This one was moved. To what place should it be returned?",
      "Put this back, please: where does it come from?",
      "In what place did the thing in the picture stand originally?",
    ],
  },
  "compound/height-when": {
    dev: [
      "How tall is {thing}, and when did I last see it?",
      "How tall was {thing}? And when did you last observe it?",
    ],
    test: [
      "Please give me the height of {thing} and the time of your latest look at it.",
      "I need two facts about {thing}: how high it is, and when it was last in view.",
      "When did {thing} last come into view, how high does it reach? Height first, please.",
    ],
  },
  "compound/colour-room": {
    dev: [
      "What color is {thing} and which room is it in?",
      "What colour is {thing}, and in which room is it?",
    ],
    test: [
      "Tell me the colour of {thing} and the room that has it.",
      "I need two facts about {thing}: its colour, and its room.",
      "{thing}: how is it coloured, and what room would I go to for it?",
    ],
  },
  "compound/where-when": {
    dev: [
      "Where is {thing}, and when did you first see it?",
      "Where is {thing} and when did you see it first?",
    ],
    test: [
      "Tell me the place of {thing} and the time you discovered it.",
      "I need two facts about {thing}: its place, and when it first came into view.",
      "In what place is {thing} kept, and how long have you known about it?",
    ],
  },
};
