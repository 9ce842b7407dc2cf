export {
  CHI_SQUARE_LIMIT,
  checkQuestions,
  chiSquare,
  mergeReports,
  type QuestionReport,
} from "./check/check-questions.ts";
export { makeQuestions } from "./make-questions.ts";
export { SUITES, suiteOf, suitesOf } from "./suites.ts";
export { lookAlong, type QuestionWorld, questionWorld } from "./world.ts";
