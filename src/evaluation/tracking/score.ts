import type { MemoryReader } from "../../memory/index.ts";
import { type AbsenceScore, type MoveScore, scoreAbsences, scoreMoves } from "./changes.ts";
import { type IdentityScore, matchTracks, scoreIdentity, trackScores } from "./identity.ts";
import { type Assignments, readLooks } from "./looks.ts";
import { type PlaceScore, scorePlaces } from "./places.ts";
import type { Scores } from "./ratio.ts";
import { readRemembered } from "./remembered.ts";
import { type RoomScore, scoreRooms } from "./rooms.ts";
import type { Truth } from "./truth.ts";
import { scoreTwins, type TwinScore } from "./twins.ts";

/** Most examples of errors kept per figure. */
const EXAMPLES = 40;

/** Everything that was counted of one memory against the truth; shares are counts, so that recordings add up. */
export interface TrackingScore {
  readonly seed: string;
  readonly hours: number;
  readonly frames: number;
  readonly things: number;
  readonly tracks: Scores & {
    readonly duplicates: number;
    readonly invented: number;
    readonly mixed: number;
    readonly unseen: number;
    readonly examples: readonly string[];
  };
  /** Detections assigned to tracks, and those of them that could not be traced to the truth. */
  readonly looks: { readonly known: number; readonly unknown: number };
  readonly identity: IdentityScore;
  readonly places: PlaceScore;
  readonly twins: TwinScore;
  readonly moves: MoveScore;
  readonly absences: AbsenceScore;
  readonly rooms: RoomScore;
}

/**
 * Scores a memory of one simulated recording against its truth, through the reader alone. The thing of each detection
 * is known from the segment numbers; everything else follows from the rules documented at the counting functions.
 * Agents with a map of their own are left out: their positions are not in the truth's frame.
 */
export async function scoreMemory(
  reader: MemoryReader,
  truth: Truth,
  assignments?: Assignments,
): Promise<TrackingScore> {
  const remembered = await readRemembered(reader);
  const { looks, unknown } = await readLooks(reader, truth, remembered, assignments);
  const matching = matchTracks(remembered, looks);
  const { document } = truth;
  const missed = truth.things.filter(({ id }) => truth.isCountable(id) && !matching.trackOf.has(id));
  const nameOf = (track: string) => `${track} (${remembered.tracks.get(track)?.record.name})`;
  const trackExamples = [
    ...missed.map(({ id }) => `missed: ${id}, ${truth.looksAt(id).length} looks`),
    ...matching.duplicates.map(
      ({ track, thing, looks }) => `duplicate: ${nameOf(track)} of ${thing}, ${looks} looks`,
    ),
    ...matching.invented.map((track) => `invented: ${nameOf(track)}`),
    ...matching.mixed.map((track) => `mixed: ${nameOf(track)}`),
    ...matching.unseen.map((track) => `without detections: ${nameOf(track)}`),
  ];
  const cut = <T extends { readonly examples: readonly string[] }>(score: T): T => ({
    ...score,
    examples: score.examples.slice(0, EXAMPLES),
  });
  return {
    seed: String(document.settings.seed),
    hours: document.durationUs / 3.6e9,
    frames: truth.frames.length,
    things: truth.things.length,
    tracks: cut({
      ...trackScores(truth, remembered, matching),
      duplicates: matching.duplicates.length,
      invented: matching.invented.length,
      mixed: matching.mixed.length,
      unseen: matching.unseen.length,
      examples: trackExamples,
    }),
    looks: { known: looks.length, unknown },
    identity: cut(scoreIdentity(truth, looks, matching)),
    places: cut(scorePlaces(truth, remembered, matching, looks)),
    twins: cut(scoreTwins(truth, remembered, matching)),
    moves: cut(scoreMoves(truth, remembered, looks)),
    absences: cut(scoreAbsences(truth, remembered, looks)),
    rooms: cut(scoreRooms(truth, remembered, matching, looks)),
  };
}
