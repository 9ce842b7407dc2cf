export { type HouseSpec, keyOf, readHouses, recordingOf } from "./houses.ts";
export { formatPeopleReport, type PeopleReport, type PeopleRow, reportOf } from "./report.ts";
export { askHouse, checkQuestionFile, type PeopleSelection, readPeopleData } from "./run.ts";
export { truthSheet } from "./sheet/sheet.ts";
