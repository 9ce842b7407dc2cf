/**
 * Finds what is kept of a voxel by its cell, with open addressing (hash of Teschner et al. 2003). Entries are numbered
 * from 0 by the caller, who keeps their cells, three whole numbers each, in an array that may move when it grows.
 */
export class VoxelIndex {
  /** The entry plus one; 0 for none. A power of two long, because lookups use a mask. */
  #slots = new Int32Array(1);

  /** An index with room for so many entries; at least half of it stays free, to keep collisions rare. */
  constructor(room: number) {
    this.rebuild(new Int32Array(0), 0, room);
  }

  /** The entry of a cell, or -1. */
  find(cells: Int32Array, x: number, y: number, z: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hashOf(x, y, z) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return -1;
      if (cells[3 * entry] === x && cells[3 * entry + 1] === y && cells[3 * entry + 2] === z) return entry;
    }
  }

  /** Adds an entry with a cell that has none yet. */
  add(cells: Int32Array, entry: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(cells[3 * entry]!, cells[3 * entry + 1]!, cells[3 * entry + 2]!) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = entry + 1;
  }

  /** Starts anew with the first `count` entries, and room for more. */
  rebuild(cells: Int32Array, count: number, room: number): void {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1, 2 * room))));
    for (let entry = 0; entry < count; entry++) this.add(cells, entry);
  }
}

function hashOf(x: number, y: number, z: number): number {
  return Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791);
}
