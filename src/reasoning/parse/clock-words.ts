import { NUMBERS } from "./lexicon.ts";

const HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2}";
const MINUTES = "five|ten|twenty|twenty-five|a quarter|quarter|half|\\d{1,2}";
const PAST = new RegExp(
  `\\b(${MINUTES})(?: minutes?)? (past|after|to|before) (${HOURS})(?: o'clock)?(?= (?:am|pm)\\b|[\\s,.?]*$|[,.?]| (?:and|in|on|was|were|did|is|are|what|where|who|which|the)\\b)`,
  "g",
);
const SPOKEN = new RegExp(
  `(?<=\\b(?:at|since|by|around|about|before|after|until|as of|from) )(${HOURS}) (fifteen|thirty|forty-five|oh five|ten|twenty|forty|fifty)(?! (?:seconds?|minutes?|hours?|of)\\b)(?=$|[\\s,.?])`,
  "g",
);
const O_CLOCK = new RegExp(`\\b(${HOURS}) o'clock\\b`, "g");

/** Clock times as people say them, as they are written: "a quarter past ten" as "10:15". */
export function withClockTimes(text: string): string {
  return text
    .replace(PAST, (whole, part: string, word: string, hour: string) => {
      const minutes = minutesOf(part);
      const hours = numberOf(hour);
      // "ten to two" is a time; "ten after" a place is none.
      if (minutes >= 60 || hours > 24) return whole;
      if (/^(?:after|before)$/.test(word) && !/quarter|half/.test(part)) return whole;
      return /^(?:past|after)$/.test(word) ? clock(hours, minutes) : clock((hours + 23) % 24, 60 - minutes);
    })
    .replace(SPOKEN, (_, hour: string, minutes: string) => clock(numberOf(hour), minutesOf(minutes)))
    .replace(O_CLOCK, (_, hour: string) => clock(numberOf(hour), 0));
}

function clock(hours: number, minutes: number): string {
  return `${hours}:${String(minutes).padStart(2, "0")}`;
}

function minutesOf(part: string): number {
  if (part.endsWith("quarter")) return 15;
  if (part === "half") return 30;
  if (part === "oh five") return 5;
  if (part === "twenty-five") return 25;
  return numberOf(part);
}

function numberOf(word: string): number {
  return NUMBERS[word] ?? Number(word);
}
