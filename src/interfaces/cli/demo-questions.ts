/**
 * A question of every kind, asked by the demo on the terminal and offered on its page; with the categories it needs.
 */
export const DEMO_QUESTIONS: readonly { readonly text: string; readonly about: readonly string[] }[] = [
  { text: "What has been moved since yesterday?", about: [] },
  { text: "Where is the sofa?", about: ["sofa"] },
  { text: "When did you last see the television?", about: ["television"] },
  { text: "What is next to the sofa?", about: ["sofa"] },
  { text: "How many chairs are there in the kitchen?", about: [] },
  { text: "What colour is the fridge?", about: ["fridge"] },
  { text: "Is the front door open?", about: ["front door"] },
  { text: "Which is taller, the fridge or the sofa?", about: ["fridge", "sofa"] },
  { text: "How far is the sofa from the television?", about: ["sofa", "television"] },
  { text: "Where can I sleep?", about: [] },
  { text: "How long were you in the kitchen today?", about: [] },
  { text: "Is there an elephant in the bedroom?", about: [] },
  { text: "Describe the house", about: [] },
];
