import type { Option } from "../decide.ts";
import type { Explorer } from "../explorer.ts";
import type { Survey } from "../survey.ts";
import { LETTERS, type Mark } from "./marks.ts";

/** A possible destination, as offered to a model. */
export interface Place extends Mark {
  readonly option: Option;
  readonly what: string;
}

const KINDS = {
  explore: "the edge of what is known",
  recall: "to look again",
  verify: "to look again",
  inspect: "a closer look",
} as const;
const SIDES = ["ahead", "ahead to the left", "to the left", "behind to the left", "behind"] as const;

/** The options as lettered places, in order. */
export function placesOf(options: readonly Option[], survey: Survey, explorer: Explorer): Place[] {
  return options.slice(0, LETTERS.length).map((option, n) => {
    const frontier = survey.frontiers.find(({ id }) => id === option.goal.target);
    const at = frontier?.middle ?? option.goal.stand.positionInWorld;
    return { letter: LETTERS[n]!, at, option, what: wordsOf(option, survey, explorer) };
  });
}

function wordsOf({ goal, costM }: Option, survey: Survey, { at }: Explorer): string {
  const frontier = survey.frontiers.find(({ id }) => id === goal.target);
  const to = frontier?.middle ?? goal.stand.positionInWorld;
  const room = survey.map.roomAt(frontier?.stand.positionInWorld ?? to)?.name;
  const parts = [
    frontier?.flight ? "stairs" : frontier?.isOpening ? "an opening as wide as a door" : KINDS[goal.kind],
    ...(goal.kind === "recall" || goal.kind === "verify" ? [goal.reason] : []),
    ...(room === undefined ? [] : [`at the ${room}`]),
    `${costM.toFixed(1)} m of way`,
    sideOf(Math.atan2(to.y - at.positionInWorld.y, to.x - at.positionInWorld.x) - at.yawRad),
    ...(frontier && !frontier.flight
      ? [`${frontier.gainM2.toFixed(1)} m² of unknown floor in sight of it`]
      : []),
  ];
  return parts.join(", ");
}

/** A direction relative to the heading, in words. */
function sideOf(angleRad: number): string {
  const turn = Math.atan2(Math.sin(angleRad), Math.cos(angleRad));
  const side = SIDES[Math.round(Math.abs(turn) / (Math.PI / 4))]!;
  return turn < 0 ? side.replace("left", "right") : side;
}
