export { factsOf, roomIdOf, trackIdOf, type WeekFacts } from "./facts.ts";
export { type ImaginedWeeks, imagineWeeks } from "./imagine-weeks.ts";
export { looksAt, type Subject, subjectsOf, valueAt } from "./looks.ts";
export { makeWeekQuestions } from "./make-questions.ts";
