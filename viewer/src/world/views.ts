/** A part of the screen and the time it shows. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly time: number;
  /** The memory's belief then, instead of what was true. */
  readonly isBelieved?: boolean;
}

/** Two narrow strips side by side show less than two wide ones. */
export function isStacked(width: number, height: number): boolean {
  return width / 2 < 0.6 * height;
}

/** One view, or two side by side or stacked, whichever shows more of the map. */
export function viewsOf(
  width: number,
  height: number,
  time: number,
  other: number | null,
  hasBelief: boolean,
): View[] {
  if (other === null && !hasBelief) return [{ left: 0, top: 0, width, height, time }];
  const isFlat = isStacked(width, height);
  const half = isFlat ? { width, height: height / 2 } : { width: width / 2, height };
  const second = isFlat ? { left: 0, top: height / 2 } : { left: width / 2, top: 0 };
  return [
    { left: 0, top: 0, ...half, time: hasBelief ? time : other! },
    { ...second, ...half, time, isBelieved: hasBelief },
  ];
}
