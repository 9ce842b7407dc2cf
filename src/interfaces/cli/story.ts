import type { RecordInput, SightingInput, Vec3 } from "../../index.ts";

const MINUTE_US = 60_000_000;

/** The first morning of the story; fixed, so that the demo says the same on every day. */
export const STORY_START_US = Date.UTC(2026, 2, 2, 8, 0) * 1000;

/** Minutes after the story's start. */
export function storyTime(minutes: number): number {
  return STORY_START_US + minutes * MINUTE_US;
}

interface Stay {
  readonly thing: string;
  readonly category: string;
  readonly says: string;
  readonly at: Vec3;
  readonly from: number;
  readonly to?: number;
  readonly seen: readonly number[];
  readonly absent?: readonly number[];
  readonly by: "anna" | "bert";
  readonly movedFrom?: string;
  readonly labels?: string[];
}

const DAY = 24 * 60;

/** Where things stood and when: two robots, two days, one flat. */
const STAYS: readonly Stay[] = [
  {
    thing: "mug",
    category: "mug",
    says: "red mug on the kitchen table",
    at: { x: 2.1, y: 1.4, z: 0.8 },
    from: 5,
    to: 190,
    seen: [5, 42, 120],
    absent: [190, 200],
    by: "anna",
  },
  {
    thing: "mug",
    category: "mug",
    says: "red mug on the desk in the office",
    at: { x: 8.6, y: 4.2, z: 0.75 },
    from: 205,
    seen: [205, DAY + 30],
    by: "bert",
    movedFrom: "mug-1",
  },
  {
    thing: "keys",
    category: "keys",
    says: "bunch of keys on the shelf by the front door",
    at: { x: 0.4, y: 5.9, z: 1.1 },
    from: 8,
    to: DAY + 20,
    seen: [8, 130],
    absent: [DAY + 20],
    by: "anna",
  },
  {
    thing: "fridge",
    category: "refrigerator",
    says: "white refrigerator in the kitchen, door closed",
    at: { x: 3.4, y: 0.4, z: 0.9 },
    from: 4,
    seen: [4, 41, DAY + 12],
    by: "anna",
  },
  {
    thing: "sofa",
    category: "sofa",
    says: "grey sofa with two cushions in the living room",
    at: { x: 5.2, y: 6.8, z: 0.4 },
    from: 14,
    seen: [14, DAY + 18],
    by: "anna",
  },
  {
    thing: "laptop",
    category: "laptop",
    says: "open laptop on the desk in the office",
    at: { x: 8.9, y: 4.5, z: 0.78 },
    from: 60,
    seen: [60, 206],
    by: "bert",
  },
  {
    thing: "plant",
    category: "plant",
    says: "dry potted plant beside the living room window",
    at: { x: 6.9, y: 7.9, z: 0.5 },
    from: 16,
    seen: [16, DAY + 19],
    by: "anna",
  },
  {
    thing: "extinguisher",
    category: "fire extinguisher",
    says: "fire extinguisher on the hallway wall",
    at: { x: 4.1, y: 3.8, z: 1.0 },
    from: 21,
    seen: [21, 140, DAY + 25],
    by: "bert",
  },
  {
    thing: "diary",
    category: "book",
    says: "private diary in the bedroom drawer",
    at: { x: 9.8, y: 8.1, z: 0.6 },
    from: 75,
    seen: [75],
    by: "bert",
    labels: ["private"],
  },
];

const NOTES: readonly { says: string; at: Vec3; time: number; by: string; topic: string }[] = [
  {
    says: "The kitchen smells of coffee. A person in a blue shirt pours a cup at the counter.",
    at: { x: 2.8, y: 1.1, z: 1.2 },
    time: 6,
    by: "anna",
    topic: "caption",
  },
  {
    says: "Nobody is in the living room. The curtains are drawn and the television is off.",
    at: { x: 5.0, y: 6.0, z: 1.2 },
    time: 15,
    by: "anna",
    topic: "caption",
  },
  {
    says: "A person carries a red mug from the kitchen into the office.",
    at: { x: 5.5, y: 3.9, z: 1.2 },
    time: 195,
    by: "bert",
    topic: "caption",
  },
  {
    says: "The window in the office is open and papers lie on the floor.",
    at: { x: 8.4, y: 4.8, z: 1.2 },
    time: 207,
    by: "bert",
    topic: "caption",
  },
  {
    says: "Battery at 18 percent, returning to the dock.",
    at: { x: 0.8, y: 3.0, z: 0.2 },
    time: 230,
    by: "bert",
    topic: "battery",
  },
  {
    says: "Waited nine minutes in front of the closed bathroom door.",
    at: { x: 6.3, y: 3.2, z: 0.2 },
    time: DAY + 15,
    by: "anna",
    topic: "task",
  },
  {
    says: "Two parcels stand in the hallway next to the front door.",
    at: { x: 1.0, y: 5.4, z: 0.3 },
    time: DAY + 22,
    by: "bert",
    topic: "caption",
  },
];

/** The story as records and sightings, ready to be written. */
export function story(): { records: RecordInput[]; sightings: SightingInput[] } {
  const records: RecordInput[] = [];
  const sightings: SightingInput[] = [];
  const stays = new Map<string, number>();
  for (const stay of STAYS) {
    const { thing, category, says, at, from, to, by } = stay;
    const number = (stays.get(thing) ?? 0) + 1;
    stays.set(thing, number);
    const common = { author: by, labels: stay.labels ?? [], validFromUs: storyTime(from) };
    const track: RecordInput = {
      ...common,
      kind: "track",
      id: thing,
      name: thing,
      category,
      validToUs: null,
    };
    if (number === 1) records.push(track);
    records.push({
      ...common,
      kind: "state",
      id: `${thing}-${number}`,
      trackId: thing,
      name: thing,
      category,
      text: [says],
      anchor: { submap: "world", p: at },
      extent: { x: 0.2, y: 0.2, z: 0.2 },
      validToUs: to === undefined ? null : storyTime(to),
      ...(stay.movedFrom && { movedFrom: { stateId: stay.movedFrom, p: 0.9 } }),
    });
    const look = (outcome: "seen" | "absent") => (minute: number) =>
      sightings.push({
        stateId: `${thing}-${number}`,
        timeUs: storyTime(minute),
        outcome,
        agentId: by,
        labels: stay.labels ?? [],
      });
    stay.seen.forEach(look("seen"));
    stay.absent?.forEach(look("absent"));
  }
  NOTES.forEach(({ says, at, time, by, topic }, i) => {
    records.push({
      kind: "caption",
      id: `note-${i + 1}`,
      source: "human",
      topic,
      author: by,
      text: says.split(/(?<=\.) /),
      anchor: { submap: "world", p: at },
      validFromUs: storyTime(time),
      validToUs: storyTime(time + 1),
    });
  });
  return { records, sightings };
}
