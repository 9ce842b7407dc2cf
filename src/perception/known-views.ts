import { apply, applyDirection, distance, dot, type Transform, type Vec3 } from "../geometry/index.ts";

/** A kept view with what is needed to compare a new frame with it. */
export interface KnownView {
  readonly id: string;
  readonly agentId: string;
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly timeUs: number;
  readonly room: string | undefined;
  readonly signature: Uint8Array;
  readonly states: ReadonlySet<string>;
  readonly feature: Float32Array | undefined;
}

interface Placed {
  readonly view: KnownView;
  readonly position: Vec3;
  readonly axis: Vec3;
  readonly cell: string;
}

const FORWARD: Vec3 = { x: 0, y: 0, z: 1 };

/**
 * Poses of the recent views, in the world by the latest pose of each submap. Bounded: the view not touched for
 * longest is dropped, and its place then counts as new again.
 */
export class KnownViews {
  readonly #maxViews: number;
  readonly #cellM: number;
  /** Least recently touched first. */
  readonly #views = new Map<string, KnownView>();
  readonly #placed = new Map<string, Placed>();
  readonly #cells = new Map<string, Set<string>>();
  readonly #submaps = new Map<string, Transform>();

  constructor(options: { maxViews: number; cellM: number }) {
    this.#maxViews = options.maxViews;
    this.#cellM = options.cellM;
  }

  put(view: KnownView): void {
    this.#take(view.id);
    this.#views.delete(view.id);
    this.#views.set(view.id, view);
    this.#place(view);
    for (const id of this.#views.keys()) {
      if (this.#views.size <= this.#maxViews) break;
      this.#take(id);
      this.#views.delete(id);
    }
  }

  /** Sets a submap's pose; its views move with it. */
  moveSubmap(submap: string, worldFromSubmap: Transform): void {
    if (sameTransform(this.#submaps.get(submap), worldFromSubmap)) return;
    this.#submaps.set(submap, worldFromSubmap);
    for (const view of this.#views.values()) {
      if (view.submap !== submap) continue;
      this.#take(view.id);
      this.#place(view);
    }
  }

  /** The submaps that views lie in. */
  submaps(): string[] {
    return [...new Set(Array.from(this.#views.values(), ({ submap }) => submap))];
  }

  /** Views of an agent from within a distance, and with optical axes within an angle (docs/formulas.md#views). */
  near(agentId: string, worldFromCamera: Transform, withinM: number, withinRad: number): KnownView[] {
    const { p } = worldFromCamera;
    const axis = applyDirection(worldFromCamera, FORWARD);
    const leastCosine = Math.cos(withinRad);
    const reach = Math.ceil(withinM / this.#cellM);
    const [column, row] = this.#cellOf(p);
    const found: KnownView[] = [];
    for (let x = column - reach; x <= column + reach; x++) {
      for (let y = row - reach; y <= row + reach; y++) {
        for (const id of this.#cells.get(`${x},${y}`) ?? []) {
          const { view, position, axis: other } = this.#placed.get(id)!;
          if (view.agentId !== agentId || distance(position, p) >= withinM) continue;
          if (dot(axis, other) > leastCosine) found.push(view);
        }
      }
    }
    return found;
  }

  #place(view: KnownView): void {
    const worldFromSubmap = this.#submaps.get(view.submap);
    if (!worldFromSubmap) return;
    const position = apply(worldFromSubmap, view.submapFromCamera.p);
    const axis = applyDirection(worldFromSubmap, applyDirection(view.submapFromCamera, FORWARD));
    const cell = this.#cellOf(position).join(",");
    this.#placed.set(view.id, { view, position, axis, cell });
    const ids = this.#cells.get(cell) ?? new Set<string>();
    this.#cells.set(cell, ids.add(view.id));
  }

  #take(id: string): void {
    const placed = this.#placed.get(id);
    if (!placed) return;
    this.#placed.delete(id);
    const ids = this.#cells.get(placed.cell);
    ids?.delete(id);
    if (ids?.size === 0) this.#cells.delete(placed.cell);
  }

  #cellOf({ x, y }: Vec3): [number, number] {
    return [Math.floor(x / this.#cellM), Math.floor(y / this.#cellM)];
  }
}

function sameTransform(a: Transform | undefined, b: Transform): boolean {
  if (a === undefined || a === b) return a === b;
  return (
    a.p.x === b.p.x &&
    a.p.y === b.p.y &&
    a.p.z === b.p.z &&
    a.q.w === b.q.w &&
    a.q.x === b.q.x &&
    a.q.y === b.q.y &&
    a.q.z === b.q.z
  );
}
