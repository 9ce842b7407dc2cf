import type { WordingTable } from "./wording.ts";

/** What, where, of which kind: questions about things and how they relate. */
export const THINGS: WordingTable = {
  "recognition/on": {
    dev: ["What is on {anchor}?", "What object is on top of {anchor}?", "What do you see on {anchor}?"],
    test: [
      "Which item is sitting on {anchor}?",
      "Could you tell me what has been left on {anchor}?",
      "There is something lying on {anchor}. What is it?",
    ],
  },
  "recognition/all-on": {
    dev: ["What things are on {anchor}?", "List everything that is on {anchor}."],
    test: [
      "Please name all the items you find on {anchor}.",
      "Which objects are standing on {anchor}?",
      "What has been put on {anchor}, all in all?",
    ],
  },
  "recognition/in": {
    dev: ["What is in {anchor}?", "What is inside {anchor}?"],
    test: [
      "Which object is kept in {anchor}?",
      "Can you say what {anchor} contains?",
      "Looking into {anchor}, what would I find?",
    ],
  },
  "recognition/next-to": {
    dev: ["What is next to {anchor}?", "What piece of furniture is beside {anchor}?"],
    test: [
      "Which piece of furniture stands right by {anchor}?",
      "What do we have directly beside {anchor}?",
      "Please tell me what {anchor} is standing next to.",
    ],
  },
  "recognition/between": {
    dev: ["What is between {first} and {second}?", "What stands between {first} and {second}?"],
    test: [
      "Going from {first} to {second}, what is in the middle?",
      "Which piece of furniture separates {first} from {second}?",
      "{first} and {second} have something between them. What?",
    ],
  },
  "recognition/says": {
    dev: ["What object has “{text}” written on it?", "What says “{text}”?"],
    test: [
      "On which object can you read the word “{text}”?",
      "Something carries the label “{text}”. What kind of thing is that?",
      "The text “{text}” is printed on what?",
    ],
  },
  "localisation/where": {
    dev: ["Where is {thing}?", "Where can I find {thing}?", "Where did you see {thing}?"],
    test: [
      "Do you know where {thing} is?",
      "I am looking for {thing}. Where should I look?",
      "Could you tell me where {thing} has been put?",
      "In what place is {thing} kept?",
    ],
  },
  "localisation/room": {
    dev: ["Which room is {thing} in?", "In which room is {thing}?"],
    test: [
      "What room do I have to go to for {thing}?",
      "{thing}: which room was that in?",
      "Can you name the room that has {thing} in it?",
    ],
  },
  "localisation/point": {
    dev: ["Go to {thing}.", "Take me to {thing}.", "Navigate to {thing}."],
    test: [
      "Please bring me over to {thing}.",
      "Drive up to {thing}, would you?",
      "Could you lead the way to {thing}?",
    ],
  },
  "attribute/colour": {
    dev: ["What color is {thing}?", "What colour is {thing}?", "Which colour does {thing} have?"],
    test: [
      "{thing} is of what colour?",
      "Can you tell me the color of {thing}?",
      "How would you describe the colour of {thing}?",
    ],
  },
  "attribute/material": {
    dev: ["What is {thing} made of?", "What material is {thing} made of?"],
    test: [
      "Which material is used for {thing}?",
      "Of what stuff does {thing} consist?",
      "Is there a way to tell what {thing} is built from?",
    ],
  },
  "attribute/text": {
    dev: ["What is written on {thing}?", "What does {thing} say?"],
    test: [
      "Could you read out what is printed on {thing}?",
      "Which word or words appear on {thing}?",
      "What is the label on {thing}?",
    ],
  },
  "attribute/height": {
    dev: ["How tall is {thing}?", "What is the height of {thing}?"],
    test: [
      "How high does {thing} reach, in metres?",
      "Please estimate the height of {thing}.",
      "From bottom to top, how many metres is {thing}?",
    ],
  },
  "attribute/colours": {
    dev: ["There are {count} {things}. Which colors are they?", "What colours do the {count} {things} have?"],
    test: [
      "Name the colours of the {count} {things} in this house.",
      "We have {count} {things}; what color is each of them?",
      "The {count} {things} come in which colours?",
    ],
  },
  "relationship/same-room": {
    dev: ["Are {first} and {second} in the same room?", "Is {first} in the same room as {second}?"],
    test: [
      "Do {first} and {second} share a room?",
      "If I stand beside {first}, am I in the room that has {second}?",
      "Would I find {first} and {second} in one room?",
    ],
  },
  "relationship/same-colour": {
    dev: [
      "Are {first} and {second} the same color?",
      "Does {first} share the same colour as {second}?",
      "Do {first} and {second} have the same colour?",
    ],
    test: [
      "Is the colour of {first} the same as that of {second}?",
      "Would you say {first} matches {second} in color?",
      "Comparing {first} with {second}: is the colour identical?",
    ],
  },
  "relationship/same-surface": {
    dev: [
      "Are {first} and {second} on the same surface?",
      "Is {first} on the same piece of furniture as {second}?",
    ],
    test: [
      "Do {first} and {second} stand on one and the same thing?",
      "Does whatever carries {first} carry {second} too?",
      "Were {first} and {second} put down in the same spot, on one surface?",
    ],
  },
  "relationship/on": {
    dev: ["Is {first} on {second}?", "Is {first} placed on {second}?"],
    test: [
      "Does {first} rest on {second}?",
      "Did somebody put {first} onto {second}?",
      "Would I find {first} lying on {second}?",
    ],
  },
  "relationship/which-same-room": {
    dev: [
      "Which of these is in the same room as {anchor}?",
      "Which of these things shares a room with {anchor}?",
    ],
    test: [
      "One of the following is found in the room that has {anchor}. Which one?",
      "Pick the object that I would meet in the same room as {anchor}.",
      "Together with {anchor} in one room: which of the options?",
    ],
  },
  "relationship/which-same-colour": {
    dev: ["Which of these has the same colour as {anchor}?", "Which of these is the same color as {anchor}?"],
    test: [
      "One of the following matches {anchor} in colour. Which one?",
      "Pick the object that is coloured like {anchor}.",
      "Of the options, what has the color that {anchor} has?",
    ],
  },
  "counting/room": {
    dev: ["How many {things} are there in {room}?", "How many {things} are in {room}?"],
    test: [
      "Please count the {things} in {room}.",
      "What is the number of {things} that {room} has?",
      "In {room}, how many {things} did you come across?",
    ],
  },
  "counting/house": {
    dev: ["How many {things} are there in the house?", "How many {things} are there in the scene?"],
    test: [
      "Counting all rooms, how many {things} do we have?",
      "What is the total number of {things} here?",
      "Could you count every one of the {things} in this home?",
    ],
  },
  "counting/on": {
    dev: ["How many things are on {anchor}?", "How many objects are on {anchor}?"],
    test: [
      "What is the number of items standing on {anchor}?",
      "Count the things that lie on {anchor}, please.",
      "{anchor} has how many objects on top?",
    ],
  },
  "counting/around": {
    dev: ["How many chairs are around {anchor}?", "How many chairs are there at {anchor}?"],
    test: [
      "What number of chairs stand around {anchor}?",
      "If we all sat down at {anchor}, how many chairs would be there?",
      "Count the chairs by {anchor}, please.",
    ],
  },
  "counting/rooms-with": {
    dev: ["How many rooms have {aThing}?", "How many rooms contain {aThing}?"],
    test: [
      "In how many different rooms is there at least one {thing}?",
      "What is the number of rooms in which I would find {aThing}?",
      "Count the rooms that are equipped with {aThing}.",
    ],
  },
  "existence/room": {
    dev: ["Is there {thing} in {room}?", "Are there any {things} in {room}?"],
    test: [
      "Does {room} have {thing}?",
      "Did you notice any {things} in {room}?",
      "Could I find {thing} somewhere in {room}?",
    ],
  },
  "existence/house": {
    dev: ["Is there {thing} in the house?", "Are there any {things} here?"],
    test: [
      "Do we have {thing} anywhere?",
      "Have you come across {thing} in this home?",
      "Does any of the rooms hold {thing}?",
    ],
  },
  "existence/state": {
    dev: ["Is there {thing} that is {value} in {room}?", "Are any of the {things} in {room} {value}?"],
    test: [
      "Does {room} have {thing} which is {value}?",
      "Among the {things} in {room}, is even one {value}?",
      "Can I find {thing} in {room} that is {value}?",
    ],
  },
};
