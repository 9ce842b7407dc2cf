import { textWidth } from "./stroke-font.ts";
import type { PixelPoint } from "./svg.ts";

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A request for a name beside something. */
export interface LabelWish {
  readonly text: string;
  readonly sizePx: number;
  /** What it names: the name goes inside if it fits, else close by. */
  readonly target: Rectangle;
  /** Larger is placed first. */
  readonly importance: number;
}

export interface PlacedLabel {
  readonly wish: LabelWish;
  /** Middle of its baseline. */
  readonly at: PixelPoint;
  /** A line from the name to what it names, if the name is farther away. */
  readonly leader?: readonly [PixelPoint, PixelPoint];
}

const GAP_PX = 3;
/** Allowed distances of a name from its thing, nearest first; from the second on it gets a line. */
const RINGS_PX = [2, 14, 28, 44];
const DIRECTIONS: readonly PixelPoint[] = [
  { x: 0, y: 1 },
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: -1, y: 0 },
  { x: 1, y: 1 },
  { x: -1, y: 1 },
  { x: 1, y: -1 },
  { x: -1, y: -1 },
];

/**
 * Places names so that none covers another or anything in `taken`: by importance, each inside its thing if it fits,
 * else as near as possible. Names without room are returned separately, to be counted.
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  bounds: Rectangle,
  taken: readonly Rectangle[],
): { placed: PlacedLabel[]; dropped: LabelWish[] } {
  const occupied = [...taken];
  const placed: PlacedLabel[] = [];
  const dropped: LabelWish[] = [];
  const order = [...wishes].sort((a, b) => b.importance - a.importance || (a.text < b.text ? -1 : 1));
  for (const wish of order) {
    const found = candidatesOf(wish).find(
      ({ box }) => isInside(box, bounds) && !occupied.some((other) => overlap(box, other)),
    );
    if (found === undefined) {
      dropped.push(wish);
      continue;
    }
    occupied.push(found.box);
    placed.push({
      wish,
      at: { x: (found.box.left + found.box.right) / 2, y: found.box.bottom - GAP_PX },
      ...(found.isFar && { leader: leaderOf(found.box, wish.target) }),
    });
  }
  return { placed, dropped };
}

function* boxesAround(wish: LabelWish): Generator<{ box: Rectangle; isFar: boolean }> {
  const { target, sizePx, text } = wish;
  const width = textWidth(text, sizePx) + 2 * GAP_PX;
  const height = sizePx + 2 * GAP_PX;
  const centre = { x: (target.left + target.right) / 2, y: (target.top + target.bottom) / 2 };
  const boxAt = (x: number, y: number): Rectangle => ({
    left: x - width / 2,
    right: x + width / 2,
    top: y - height / 2,
    bottom: y + height / 2,
  });
  if (target.right - target.left >= width && target.bottom - target.top >= height) {
    yield { box: boxAt(centre.x, centre.y), isFar: false };
  }
  for (const [ring, away] of RINGS_PX.entries()) {
    for (const { x, y } of DIRECTIONS) {
      const dx = x * ((target.right - target.left) / 2 + width / 2 + away);
      const dy = y * ((target.bottom - target.top) / 2 + height / 2 + away);
      // A name beside the thing may be level with it; one above or below may be centred on it.
      yield { box: boxAt(centre.x + dx, centre.y + dy), isFar: ring > 0 };
    }
  }
}

function candidatesOf(wish: LabelWish): { box: Rectangle; isFar: boolean }[] {
  return [...boxesAround(wish)];
}

function leaderOf(box: Rectangle, target: Rectangle): [PixelPoint, PixelPoint] {
  const centre = { x: (target.left + target.right) / 2, y: (target.top + target.bottom) / 2 };
  return [
    { x: clamp(centre.x, box.left + GAP_PX, box.right - GAP_PX), y: clamp(centre.y, box.top, box.bottom) },
    {
      x: clamp((box.left + box.right) / 2, target.left, target.right),
      y: clamp((box.top + box.bottom) / 2, target.top, target.bottom),
    },
  ];
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isInside(a: Rectangle, b: Rectangle): boolean {
  return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
