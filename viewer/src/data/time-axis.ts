/** A stretch of time on the axis: `x0` to `x1` are shares of its length. A gap has no observations. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly x0: number;
  readonly x1: number;
  readonly isGap: boolean;
}

/** Shortest gap without observations that is cut: in seconds, and as a share of the whole. */
const GAP_S = 300;
const GAP_SHARE = 0.06;
/** The axis share of one gap, and of all gaps together. */
const GAP_WIDTH = 0.09;
const GAPS_WIDTH = 0.36;

/**
 * Time along the slider. Robots observe for minutes and rest for days: on a linear axis every visit would be too
 * narrow to see. So gaps are drawn short, each with its duration; within a stretch, time is linear.
 */
export class TimeAxis {
  readonly stretches: readonly Stretch[];

  constructor(times: Float64Array, from: number, to: number) {
    this.stretches = stretchesOf(times, from, Math.max(to, from + 1));
  }

  get from(): number {
    return this.stretches[0]!.from;
  }

  get to(): number {
    return this.stretches.at(-1)!.to;
  }

  shareOf(time: number): number {
    const found = this.stretches.find(({ to }) => time <= to) ?? this.stretches.at(-1)!;
    const within = (time - found.from) / Math.max(found.to - found.from, 1e-9);
    return found.x0 + (found.x1 - found.x0) * Math.min(Math.max(within, 0), 1);
  }

  timeAt(share: number): number {
    const found = this.stretches.find(({ x1 }) => share <= x1) ?? this.stretches.at(-1)!;
    const within = (share - found.x0) / Math.max(found.x1 - found.x0, 1e-9);
    return found.from + (found.to - found.from) * Math.min(Math.max(within, 0), 1);
  }
}

function stretchesOf(times: Float64Array, from: number, to: number): Stretch[] {
  const sorted = times.filter((time) => time >= from && time <= to).sort();
  const least = Math.max(GAP_S, GAP_SHARE * (to - from));
  const cuts: { from: number; to: number; isGap: boolean }[] = [];
  let begin = from;
  let last = from;
  for (const time of [...sorted, to]) {
    if (time - last > least) {
      if (last > begin) cuts.push({ from: begin, to: last, isGap: false });
      cuts.push({ from: last, to: time, isGap: true });
      begin = time;
    }
    last = time;
  }
  if (to > begin || cuts.length === 0) cuts.push({ from: begin, to, isGap: false });
  const gaps = cuts.filter(({ isGap }) => isGap).length;
  const gapWidth = gaps === cuts.length ? 1 / gaps : Math.min(GAP_WIDTH, GAPS_WIDTH / Math.max(gaps, 1));
  const active = cuts.reduce((sum, cut) => sum + (cut.isGap ? 0 : cut.to - cut.from), 0);
  let x = 0;
  return cuts.map((cut) => {
    const width = cut.isGap ? gapWidth : ((1 - gaps * gapWidth) * (cut.to - cut.from)) / active;
    const stretch = { ...cut, x0: x, x1: x + width };
    x += width;
    return stretch;
  });
}
