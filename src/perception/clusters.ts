import { settings } from "../schema/settings.ts";
import { depthSdM } from "./depth-model.ts";
import { markPatches, patchOf } from "./patches.ts";

/** A part of the image; right and bottom are exclusive. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Value, unit, minimum, maximum, source. */
const CLUSTERS = settings("perception.clusters", {
  /** Neighbours closer in depth than this are one surface, for any camera. */
  stepM: [0.04, "m", 0.02, 0.08, "experiment"],
  stepSd: [4, "sd", 2, 8, "experiment"],
  /** Or closer than this many pixel widths, which joins surfaces tilted by up to 37°. */
  stepPixels: [0.75, "share", 0.375, 0.875, "experiment"],
  /** How far apart the parts of one thing may lie on both sides of a thin obstacle. */
  gapM: [0.1, "m", 0.05, 0.2, "experiment"],
  gapPx: [3, "px", 1, 6, "experiment"],
  partPixels: [4, "px", 2, 8, "experiment"],
  /** Least pixels of a separate patch of the mask, and how far in front of or behind the rest it may lie. */
  patchPixels: [8, "px", 4, 16, "experiment"],
  apartM: [1, "m", 0.5, 2, "experiment"],
  deepPixels: [4, "px", 2, 8, "experiment"],
  deepM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** How far inaccurate masks extend over the outline. */
  marginPx: [2, "px", 1, 4, "experiment"],
});

/** The surfaces within one image's segments; its buffers are reused from frame to frame. */
export class Clusters {
  #labels: Uint16Array = new Uint16Array(0);
  #depthM: Float32Array = new Float32Array(0);
  #width = 0;
  #focalPx = 1;
  #within: Rectangle = { left: 0, top: 0, right: 0, bottom: 0 };
  /** Distance in pixels to the nearest pixel of another segment: 1 at the outline. */
  #inside = new Uint16Array(0);
  /** 1 where a pixel may pass on links; rim pixels only attach to a deeper one. */
  #core = new Uint8Array(0);
  #parent = new Int32Array(0);
  #rim = new Int32Array(0);
  #patch = new Int32Array(0);

  /** Sets the image for the following calls: a label for each pixel, 0 for none, and its depth. */
  look(labels: Uint16Array, depthM: Float32Array, width: number, focalPx: number, within: Rectangle): void {
    if (this.#parent.length < labels.length) {
      this.#parent = new Int32Array(labels.length);
      this.#rim = new Int32Array(labels.length);
      this.#patch = new Int32Array(labels.length);
      this.#core = new Uint8Array(labels.length);
      this.#inside = new Uint16Array(labels.length);
    }
    this.#labels = labels;
    this.#depthM = depthM;
    this.#width = width;
    this.#focalPx = focalPx;
    this.#within = within;
  }

  /**
   * Joins the pixels of one label into surfaces. Two neighbours are joined if their depths are close, or if one
   * continues the plane of the other (1/depth is affine over a plane's image, so its second difference vanishes).
   * Wrong pixels of an inaccurate mask lie along its rim, and links along the rim lead anywhere: down the wall behind
   * a person, over the floor and back up at the feet. So a rim pixel joins only with one deeper inside. The result
   * matches DBSCAN, at the cost of one pass.
   */
  #join(pixels: Int32Array): void {
    this.#measureInside(pixels);
    const rims = this.#joinCores(pixels);
    for (let level = CLUSTERS.marginPx; level > 0; level--) {
      for (let n = 0; n < rims; n++) {
        if (this.#inside[this.#rim[n]!] === level) this.#hangOn(this.#rim[n]!);
      }
    }
  }

  /** One pass over the core pixels; returns the number of others, which wait in #rim. */
  #joinCores(pixels: Int32Array): number {
    const [labels, depthM, core, parent, inside, rim, width] = [
      this.#labels,
      this.#depthM,
      this.#core,
      this.#parent,
      this.#inside,
      this.#rim,
      this.#width,
    ];
    const { left, top, right, bottom } = this.#within;
    const label = labels[pixels[0]!];
    let [rims, j, start] = [0, -1, -width];
    for (let n = 0; n < pixels.length; n++) {
      const at = pixels[n]!;
      if (at >= start + width) {
        j = Math.floor(at / width);
        start = j * width;
      }
      const i = at - start;
      core[at] = 0;
      const z = depthM[at]!;
      if (!(z > 0)) continue;
      parent[at] = at;
      if (inside[at]! <= CLUSTERS.marginPx && !this.#isCore(at, i, j)) {
        rim[rims++] = at;
        continue;
      }
      core[at] = 1;
      if (i > left && labels[at - 1] === label && core[at - 1] === 1) {
        // Nothing is attached to this pixel yet, so it may point where its neighbour does.
        if (Math.abs(z - depthM[at - 1]!) <= CLUSTERS.stepM) parent[at] = parent[at - 1]!;
        else this.#tryJoin(at, -1, i + 1 < right, i - 1 > left);
      }
      if (j === top) continue;
      const above = at - width;
      // Within one surface most pixels point at its root already, and then a link changes nothing.
      if (parent[above] !== parent[at] && labels[above] === label && core[above] === 1)
        this.#tryJoin(at, -width, j + 1 < bottom, j - 1 > top);
      if (
        i > left &&
        parent[above - 1] !== parent[at] &&
        labels[above - 1] === label &&
        core[above - 1] === 1
      )
        this.#tryJoin(at, -width - 1, false, false);
      if (
        i + 1 < right &&
        parent[above + 1] !== parent[at] &&
        labels[above + 1] === label &&
        core[above + 1] === 1
      )
        this.#tryJoin(at, -width + 1, false, false);
    }
    return rims;
  }

  /** For a pixel near the outline: whether it is on the ridge of something thin, such as a leg or a pole. */
  #isCore(at: number, i: number, j: number): boolean {
    const own = this.#inside[at]!;
    const { left, top, right, bottom } = this.#within;
    for (let y = Math.max(top, j - 1); y <= Math.min(bottom - 1, j + 1); y++) {
      for (let x = Math.max(left, i - 1); x <= Math.min(right - 1, i + 1); x++) {
        const other = y * this.#width + x;
        if (this.#labels[other] === this.#labels[at] && this.#inside[other]! > own) return false;
      }
    }
    return true;
  }

  /** Attaches a rim pixel to its deeper neighbour nearest in depth, if any is close enough. */
  #hangOn(at: number): void {
    const labels = this.#labels;
    const depthM = this.#depthM;
    const inside = this.#inside;
    const width = this.#width;
    const { left, top, right, bottom } = this.#within;
    const column = at % width;
    const row = (at - column) / width;
    const z = depthM[at]!;
    const step = this.#stepM(z);
    let best = -1;
    let least = Infinity;
    for (let y = Math.max(top, row - 1); y <= Math.min(bottom - 1, row + 1); y++) {
      for (let x = Math.max(left, column - 1); x <= Math.min(right - 1, column + 1); x++) {
        const other = y * width + x;
        if (inside[other]! <= inside[at]! || labels[other] !== labels[at] || !(depthM[other]! > 0)) continue;
        const gap = Math.abs(z - depthM[other]!);
        if (gap >= least) continue;
        if (gap > step) {
          const beyondX = 2 * x - column;
          const beyondY = 2 * y - row;
          if (beyondX < left || beyondX >= right || beyondY < top || beyondY >= bottom) continue;
          if (!this.#continues(beyondY * width + beyondX, other, at, step)) continue;
        }
        least = gap;
        best = other;
      }
    }
    if (best >= 0) this.#parent[at] = this.#rootOf(best);
  }

  /**
   * Of a label's pixels (all of them, in raster order) those of its main surface and of the parts that belong to it.
   * The main surface has the most weight, by squared distance to the outline, since wrong mask pixels lie along the
   * rim. Separate patches of the mask, such as the other half of a curtain or the foot of a lamp, belong to the thing
   * too: inaccuracy widens patches and creates none, so each patch of the mask has a main surface.
   */
  mainPart(pixels: Int32Array): Int32Array {
    if (pixels.length === 0) return pixels;
    this.#join(pixels);
    const parts = this.#partsOf(pixels);
    let main: Part | undefined;
    for (const part of parts.values()) if (!main || part.weight > main.weight) main = part;
    if (!main) return new Int32Array(0);
    if (parts.size > 1) this.#choose(parts, main, pixels);
    else main.kept = true;
    const kept = Array.from(parts.values()).filter((part) => part.kept);
    const out = new Int32Array(kept.reduce((sum, part) => sum + part.count, 0));
    let count = 0;
    let last = main;
    const [depthM, parent] = [this.#depthM, this.#parent];
    for (let n = 0; n < pixels.length; n++) {
      const at = pixels[n]!;
      if (!(depthM[at]! > 0)) continue;
      const root = parent[at]!;
      // Neighbours in a row mostly belong to one part.
      if (root !== last.root) last = parts.get(root)!;
      if (last.kept) out[count++] = at;
    }
    return out;
  }

  #choose(parts: ReadonlyMap<number, Part>, main: Part, pixels: Int32Array): void {
    const step = this.#stepM((main.nearM + main.farM) / 2);
    const gapPx = Math.max(CLUSTERS.gapPx, (CLUSTERS.gapM * this.#focalPx) / main.farM);
    markPatches(pixels, this.#labels, this.#width, this.#within, this.#patch);
    const mainPatch = patchOf(this.#patch, main.root);
    const best = new Map<number, Part>();
    for (const part of parts.values()) {
      const level = part.farM >= main.nearM - step && part.nearM <= main.farM + step;
      // Without a core pixel it is an unattached piece of rim: the edge of something else.
      const joins =
        part.cores > 0 && level && part.count >= CLUSTERS.partPixels && gapBetween(part, main) <= gapPx;
      const gapM = Math.max(part.nearM - main.farM, main.nearM - part.farM);
      part.kept = part === main || joins || (part.deep >= CLUSTERS.deepPixels && gapM <= CLUSTERS.deepM);
      const patch = patchOf(this.#patch, part.root);
      if (patch === mainPatch || part.cores === 0 || part.count < CLUSTERS.patchPixels) continue;
      if (!best.has(patch) || part.weight > best.get(patch)!.weight) best.set(patch, part);
    }
    const mostM = CLUSTERS.apartM + main.farM - main.nearM;
    for (const part of best.values()) {
      if (part.nearM - main.farM <= mostM && main.nearM - part.farM <= mostM) part.kept = true;
    }
  }

  #partsOf(pixels: Int32Array): Map<number, Part> {
    const [depthM, parent, insides, core, width] = [
      this.#depthM,
      this.#parent,
      this.#inside,
      this.#core,
      this.#width,
    ];
    const parts = new Map<number, Part>();
    let part = emptyPart(-1);
    let [row, start] = [-1, -width];
    for (let n = 0; n < pixels.length; n++) {
      const at = pixels[n]!;
      const z = depthM[at]!;
      if (!(z > 0)) continue;
      // Every pixel then points directly at its root.
      if (parent[at] !== part.root) {
        const root = this.#rootOf(at);
        if (part.root !== root) {
          part = parts.get(root) ?? emptyPart(root);
          if (part.count === 0) parts.set(root, part);
        }
      }
      if (at >= start + width) {
        row = Math.floor(at / width);
        start = row * width;
      }
      const column = at - start;
      part.count++;
      const inside = insides[at]!;
      part.weight += inside * inside;
      part.cores += core[at]!;
      if (inside > CLUSTERS.marginPx) part.deep++;
      if (z < part.nearM) part.nearM = z;
      if (z > part.farM) part.farM = z;
      if (column < part.left) part.left = column;
      if (column >= part.right) part.right = column + 1;
      if (row < part.top) part.top = row;
      if (row >= part.bottom) part.bottom = row + 1;
    }
    return parts;
  }

  /**
   * City-block distance to the next other label, in one forward and one backward sweep; the image border does not
   * count.
   */
  #measureInside(pixels: Int32Array): void {
    const [inside, labels, width] = [this.#inside, this.#labels, this.#width];
    const { left, top, right, bottom } = this.#within;
    const label = labels[pixels[0]!];
    const far = 0xfffe;
    const [firstRow, lastRow] = [(top + 1) * width, (bottom - 1) * width];
    let start = -width;
    for (let n = 0; n < pixels.length; n++) {
      const at = pixels[n]!;
      if (at >= start + width) start = at - (at % width);
      const before = at === start + left ? far : labels[at - 1] === label ? inside[at - 1]! : 0;
      const above = at < firstRow ? far : labels[at - width] === label ? inside[at - width]! : 0;
      inside[at] = Math.min(far, 1 + Math.min(before, above));
    }
    start = labels.length;
    for (let n = pixels.length - 1; n >= 0; n--) {
      const at = pixels[n]!;
      if (at < start) start = at - (at % width);
      const after = at === start + right - 1 ? far : labels[at + 1] === label ? inside[at + 1]! : 0;
      const below = at >= lastRow ? far : labels[at + width] === label ? inside[at + width]! : 0;
      inside[at] = Math.min(inside[at]!, 1 + Math.min(after, below));
    }
  }

  #stepM(z: number): number {
    return Math.max(CLUSTERS.stepM, CLUSTERS.stepSd * depthSdM(z), (CLUSTERS.stepPixels * z) / this.#focalPx);
  }

  /** Joins a pixel with a neighbour of its label; the flags say whether the line continues beyond either of them. */
  #tryJoin(at: number, towards: number, before: boolean, beyond: boolean): void {
    const other = at + towards;
    const z = this.#depthM[at]!;
    const gap = Math.abs(z - this.#depthM[other]!);
    if (gap > CLUSTERS.stepM) {
      const step = this.#stepM(z);
      const joins =
        gap <= step ||
        (before && this.#continues(at - towards, at, other, step)) ||
        (beyond && this.#continues(other + towards, other, at, step));
      if (!joins) return;
    }
    this.#unite(at, other);
  }

  /** Whether `c` lies on the plane through `a` and `b`, its neighbours in line. */
  #continues(a: number, b: number, c: number, step: number): boolean {
    if (this.#labels[a] !== this.#labels[b]) return false;
    const za = this.#depthM[a]!;
    const zb = this.#depthM[b]!;
    const zc = this.#depthM[c]!;
    if (!(za > 0)) return false;
    const inverse = 2 / zb - 1 / za;
    return (
      inverse > 0 && Math.abs(1 / inverse - zc) <= 2 * step && Math.abs(1 / zc - inverse) * zc * zb <= step
    );
  }

  #rootOf(at: number): number {
    const parent = this.#parent;
    let root = at;
    while (parent[root] !== root) root = parent[root]!;
    let next = at;
    while (next !== root) {
      const above = parent[next]!;
      parent[next] = root;
      next = above;
    }
    return root;
  }

  #unite(a: number, b: number): void {
    const x = this.#rootOf(a);
    const y = this.#rootOf(b);
    // The lower pixel is the root, so that the result does not depend on the order of the links.
    if (x < y) this.#parent[y] = x;
    else this.#parent[x] = y;
  }
}

interface Part extends Rectangle {
  readonly root: number;
  kept: boolean;
  count: number;
  weight: number;
  cores: number;
  deep: number;
  nearM: number;
  farM: number;
}

function emptyPart(root: number): Part {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  return {
    root,
    kept: false,
    count: 0,
    weight: 0,
    cores: 0,
    deep: 0,
    nearM: Infinity,
    farM: -Infinity,
    ...bounds,
  };
}

function gapBetween(a: Rectangle, b: Rectangle): number {
  const across = Math.max(a.left - b.right, b.left - a.right);
  const down = Math.max(a.top - b.bottom, b.top - a.bottom);
  return Math.max(0, across, down);
}
