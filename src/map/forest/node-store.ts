import type { Box, Vec3 } from "../../geometry/index.ts";

/** Directions in the plane in which the reach of a node is stored; ±x and ±y are among them. */
const DIRECTIONS = 16;
const FIELDS = DIRECTIONS + 2;
const MIN_Z = DIRECTIONS;
const MAX_Z = DIRECTIONS + 1;
const COS = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.cos((2 * Math.PI * i) / DIRECTIONS));
const SIN = Float64Array.from({ length: DIRECTIONS }, (_, i) => Math.sin((2 * Math.PI * i) / DIRECTIONS));
/** The most by which a pair can be wider than the nearest direction shows: 2 %. */
const SLACK = 1 / Math.cos(Math.PI / DIRECTIONS);

export const NO_NODE = -1;

/**
 * The columns behind a forest: parent and children as linked lists, sums and reaches as numbers. A node's reach in 16
 * directions bounds the distance between its farthest leaves and another node's within 2 %, in constant time at any
 * size, as complete linkage requires.
 */
export class NodeStore {
  parent = new Int32Array(0);
  first = new Int32Array(0);
  next = new Int32Array(0);
  level = new Int16Array(0);
  children = new Int32Array(0);
  leaves = new Int32Array(0);
  /** Leaves added or removed since the summary was written. */
  changed = new Int32Array(0);
  #sum = new Float64Array(0);
  #reach = new Float64Array(0);
  #count = 0;
  readonly #freed: number[] = [];

  /** One past the highest node in use. */
  get end(): number {
    return this.#count;
  }

  make(level: number): number {
    const node = this.#freed.pop() ?? this.#count++;
    if (node >= this.parent.length) this.reserve(2 * node + 1);
    this.parent[node] = NO_NODE;
    this.first[node] = NO_NODE;
    this.next[node] = NO_NODE;
    this.level[node] = level;
    this.children[node] = 0;
    this.changed[node] = 0;
    this.#clear(node);
    return node;
  }

  makeLeaf(position: Vec3): number {
    const node = this.make(0);
    const { x, y, z } = position;
    this.leaves[node] = 1;
    this.#sum.set([x, y, z], node * 3);
    const at = node * FIELDS;
    for (let i = 0; i < DIRECTIONS; i++) this.#reach[at + i] = x * COS[i]! + y * SIN[i]!;
    this.#reach[at + MIN_Z] = z;
    this.#reach[at + MAX_Z] = z;
    return node;
  }

  free(node: number): void {
    this.parent[node] = NO_NODE;
    this.level[node] = -1;
    this.#freed.push(node);
  }

  isFree(node: number): boolean {
    return this.level[node]! < 0;
  }

  /** Attaches a child to a parent without updating the ancestors; `refresh` does. */
  link(parent: number, child: number): void {
    this.parent[child] = parent;
    this.next[child] = this.first[parent]!;
    this.first[parent] = child;
    this.children[parent]!++;
  }

  unlink(child: number): void {
    const parent = this.parent[child]!;
    let at = this.first[parent]!;
    if (at === child) {
      this.first[parent] = this.next[child]!;
    } else {
      while (this.next[at] !== child) at = this.next[at]!;
      this.next[at] = this.next[child]!;
    }
    this.children[parent]!--;
    this.parent[child] = NO_NODE;
    this.next[child] = NO_NODE;
  }

  childrenOf(node: number): number[] {
    const out: number[] = [];
    for (let at = this.first[node]!; at !== NO_NODE; at = this.next[at]!) out.push(at);
    return out;
  }

  /** Sums and reaches of a node from its children. */
  refresh(node: number): void {
    this.#clear(node);
    for (let child = this.first[node]!; child !== NO_NODE; child = this.next[child]!)
      this.absorb(node, child);
  }

  /** Adds a child's content, for a node that only gained. */
  absorb(node: number, child: number): void {
    this.leaves[node]! += this.leaves[child]!;
    for (let i = 0; i < 3; i++) this.#sum[node * 3 + i]! += this.#sum[child * 3 + i]!;
    const [to, from] = [node * FIELDS, child * FIELDS];
    const reach = this.#reach;
    for (let i = 0; i < DIRECTIONS; i++)
      if (reach[from + i]! > reach[to + i]!) reach[to + i] = reach[from + i]!;
    if (reach[from + MIN_Z]! < reach[to + MIN_Z]!) reach[to + MIN_Z] = reach[from + MIN_Z]!;
    if (reach[from + MAX_Z]! > reach[to + MAX_Z]!) reach[to + MAX_Z] = reach[from + MAX_Z]!;
  }

  centroid(node: number): Vec3 {
    const n = Math.max(1, this.leaves[node]!);
    const at = node * 3;
    return { x: this.#sum[at]! / n, y: this.#sum[at + 1]! / n, z: this.#sum[at + 2]! / n };
  }

  x(node: number): number {
    return this.#sum[node * 3]! / this.leaves[node]!;
  }

  y(node: number): number {
    return this.#sum[node * 3 + 1]! / this.leaves[node]!;
  }

  z(node: number): number {
    return this.#sum[node * 3 + 2]! / this.leaves[node]!;
  }

  bounds(node: number): Box {
    const reach = this.#reach;
    const at = node * FIELDS;
    return {
      min: { x: -reach[at + DIRECTIONS / 2]!, y: -reach[at + (3 * DIRECTIONS) / 4]!, z: reach[at + MIN_Z]! },
      max: { x: reach[at]!, y: reach[at + DIRECTIONS / 4]!, z: reach[at + MAX_Z]! },
    };
  }

  /**
   * An upper bound of the distance between the leaves of two nodes; exact for two leaves, else at most 2 % too large.
   * With itself: the diameter of a node.
   */
  linkage(a: number, b: number): number {
    if (this.level[a] === 0 && this.level[b] === 0) {
      const dx = this.x(a) - this.x(b);
      const dy = this.y(a) - this.y(b);
      const dz = this.z(a) - this.z(b);
      return Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
    const reach = this.#reach;
    const [p, q] = [a * FIELDS, b * FIELDS];
    const half = DIRECTIONS / 2;
    let flat = 0;
    for (let i = 0; i < half; i++) {
      const there = reach[p + i]! + reach[q + i + half]!;
      const back = reach[p + i + half]! + reach[q + i]!;
      if (there > flat) flat = there;
      if (back > flat) flat = back;
    }
    flat *= SLACK;
    const up = Math.max(reach[p + MAX_Z]! - reach[q + MIN_Z]!, reach[q + MAX_Z]! - reach[p + MIN_Z]!);
    return Math.sqrt(flat * flat + up * up);
  }

  /** Distance from a leaf to the box around a node. */
  away(node: number, leaf: number): number {
    const { min, max } = this.bounds(node);
    const dx = Math.max(0, min.x - this.x(leaf), this.x(leaf) - max.x);
    const dy = Math.max(0, min.y - this.y(leaf), this.y(leaf) - max.y);
    const dz = Math.max(0, min.z - this.z(leaf), this.z(leaf) - max.z);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /** Reserves room for this many nodes in total. */
  reserve(nodes: number): void {
    if (nodes <= this.parent.length) return;
    const longer = <T extends Int32Array | Int16Array | Float64Array>(old: T, length: number): T => {
      const grown = new (old.constructor as new (n: number) => T)(length);
      grown.set(old);
      return grown;
    };
    this.parent = longer(this.parent, nodes);
    this.first = longer(this.first, nodes);
    this.next = longer(this.next, nodes);
    this.level = longer(this.level, nodes);
    this.children = longer(this.children, nodes);
    this.leaves = longer(this.leaves, nodes);
    this.changed = longer(this.changed, nodes);
    this.#sum = longer(this.#sum, nodes * 3);
    this.#reach = longer(this.#reach, nodes * FIELDS);
  }

  #clear(node: number): void {
    this.leaves[node] = 0;
    this.#sum.fill(0, node * 3, node * 3 + 3);
    const at = node * FIELDS;
    this.#reach.fill(-Infinity, at, at + FIELDS);
    this.#reach[at + MIN_Z] = Infinity;
  }
}
