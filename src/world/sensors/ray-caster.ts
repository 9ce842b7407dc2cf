import { BODY_STRIDE, BOX, type CompiledScene, CYLINDER } from "./compiled-scene.ts";

const STACK_DEPTH = 96;
/** Stands for a zero direction component, whose inverse must stay finite: 0 × ∞ is no number. */
const TINY = 1e-30;

/**
 * Rays against a compiled scene. Directions need not be unit: distances count in their lengths, so a camera ray
 * whose optical component is 1 is measured in z-depth. A solid that holds the origin is not hit. One caster per
 * thread; results stay in `distance` and `solid` until the next call.
 */
export class RayCaster {
  readonly #scene: CompiledScene;
  readonly #stack = new Int32Array(STACK_DEPTH);
  readonly #entry = new Float64Array(STACK_DEPTH);
  readonly #best = new Float64Array(1);
  #solid = -1;

  constructor(scene: CompiledScene) {
    this.#scene = scene;
  }

  /** Of the last hit. */
  get distance(): number {
    return this.#best[0]!;
  }

  /** The number of the solid hit last, −1 when none. */
  get solid(): number {
    return this.#solid;
  }

  /** The nearest solid before `limit`; true when there is one. */
  closest(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number): boolean {
    return this.#walk(ox, oy, oz, dx, dy, dz, limit, false);
  }

  /** Whether anything opaque is met before `limit`. */
  blocked(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number): boolean {
    return this.#walk(ox, oy, oz, dx, dy, dz, limit, true);
  }

  /** Whether this one solid is met before `limit`: the cheap first try of a shadow ray. */
  blockedBy(
    s: number,
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    limit: number,
  ) {
    const t = this.#enter(s, ox, oy, oz, dx === 0 ? TINY : dx, dy === 0 ? TINY : dy, dz === 0 ? TINY : dz);
    return t > 0 && t < limit;
  }

  #walk(
    ox: number,
    oy: number,
    oz: number,
    dx0: number,
    dy0: number,
    dz0: number,
    limit: number,
    any: boolean,
  ): boolean {
    const { nodes, links, opaque } = this.#scene;
    const stack = this.#stack;
    const entry = this.#entry;
    const dx = dx0 === 0 ? TINY : dx0;
    const dy = dy0 === 0 ? TINY : dy0;
    const dz = dz0 === 0 ? TINY : dz0;
    const ix = 1 / dx;
    const iy = 1 / dy;
    const iz = 1 / dz;
    const nearX = ix >= 0 ? 0 : 3;
    const nearY = iy >= 0 ? 1 : 4;
    const nearZ = iz >= 0 ? 2 : 5;
    const farX = 3 - nearX;
    const farY = 5 - nearY;
    const farZ = 7 - nearZ;
    let best = limit;
    let solid = -1;
    let top = 0;
    let node = 0;
    for (;;) {
      const at = node * 12;
      let leftIn = (nodes[at + nearX]! - ox) * ix;
      let leftOut = (nodes[at + farX]! - ox) * ix;
      let a = (nodes[at + nearY]! - oy) * iy;
      if (a > leftIn) leftIn = a;
      a = (nodes[at + nearZ]! - oz) * iz;
      if (a > leftIn) leftIn = a;
      a = (nodes[at + farY]! - oy) * iy;
      if (a < leftOut) leftOut = a;
      a = (nodes[at + farZ]! - oz) * iz;
      if (a < leftOut) leftOut = a;
      let rightIn = (nodes[at + 6 + nearX]! - ox) * ix;
      let rightOut = (nodes[at + 6 + farX]! - ox) * ix;
      a = (nodes[at + 6 + nearY]! - oy) * iy;
      if (a > rightIn) rightIn = a;
      a = (nodes[at + 6 + nearZ]! - oz) * iz;
      if (a > rightIn) rightIn = a;
      a = (nodes[at + 6 + farY]! - oy) * iy;
      if (a < rightOut) rightOut = a;
      a = (nodes[at + 6 + farZ]! - oz) * iz;
      if (a < rightOut) rightOut = a;
      const hitLeft = leftOut >= leftIn && leftOut > 0 && leftIn < best;
      const hitRight = rightOut >= rightIn && rightOut > 0 && rightIn < best;
      let next = -1;
      let leaf = 0;
      let leaf2 = 0;
      if (hitLeft && hitRight) {
        const left = links[node * 2]!;
        const right = links[node * 2 + 1]!;
        const leftFirst = leftIn <= rightIn;
        const near = leftFirst ? left : right;
        const far = leftFirst ? right : left;
        if (near < 0) leaf = near;
        else next = near;
        if (far < 0 && near < 0) leaf2 = far;
        else {
          stack[top] = far;
          entry[top++] = leftFirst ? rightIn : leftIn;
        }
      } else if (hitLeft || hitRight) {
        const link = links[node * 2 + (hitLeft ? 0 : 1)]!;
        if (link < 0) leaf = link;
        else next = link;
      }
      for (;;) {
        if (leaf < 0) {
          const packed = ~leaf;
          const last = (packed >> 3) + (packed & 7);
          for (let s = packed >> 3; s < last; s++) {
            const t = this.#enter(s, ox, oy, oz, dx, dy, dz);
            if (t < best && t > 0 && (!any || opaque[s] === 1)) {
              best = t;
              solid = s;
            }
          }
          if (any && solid >= 0) {
            this.#solid = solid;
            this.#best[0] = best;
            return true;
          }
          leaf = leaf2;
          leaf2 = 0;
          continue;
        }
        if (next >= 0) break;
        let link = 0;
        let found = false;
        while (top > 0) {
          top--;
          if (entry[top]! < best) {
            link = stack[top]!;
            found = true;
            break;
          }
        }
        if (!found) {
          this.#solid = solid;
          this.#best[0] = best;
          return solid >= 0;
        }
        if (link < 0) leaf = link;
        else next = link;
      }
      node = next;
    }
  }

  /** Where the ray enters solid `s`, or Infinity. */
  #enter(s: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
    const { bodies, shapes } = this.#scene;
    const at = s * BODY_STRIDE;
    const cos = bodies[at + 3]!;
    const sin = bodies[at + 4]!;
    const rx = ox - bodies[at]!;
    const ry = oy - bodies[at + 1]!;
    const px = cos * rx + sin * ry;
    const py = cos * ry - sin * rx;
    const pz = oz - bodies[at + 2]!;
    const vx = cos * dx + sin * dy;
    const vy = cos * dy - sin * dx;
    const hx = bodies[at + 5]!;
    const hy = bodies[at + 6]!;
    const hz = bodies[at + 7]!;
    const shape = shapes[s]!;
    if (shape === BOX) {
      const kx = 1 / (vx === 0 ? TINY : vx);
      const ky = 1 / (vy === 0 ? TINY : vy);
      const kz = 1 / dz;
      const ax = Math.abs(kx) * hx;
      const ay = Math.abs(ky) * hy;
      const az = Math.abs(kz) * hz;
      const mx = -px * kx;
      const my = -py * ky;
      const mz = -pz * kz;
      let near = mx - ax;
      let far = mx + ax;
      if (my - ay > near) near = my - ay;
      if (mz - az > near) near = mz - az;
      if (my + ay < far) far = my + ay;
      if (mz + az < far) far = mz + az;
      return near <= far ? near : Infinity;
    }
    const x = px / hx;
    const y = py / hy;
    const z = pz / hz;
    const u = vx / hx;
    const v = vy / hy;
    const w = dz / hz;
    if (shape === CYLINDER) {
      const a = u * u + v * v;
      const b = x * u + y * v;
      const c = x * x + y * y - 1;
      const square = b * b - a * c;
      if (square < 0) return Infinity;
      const root = Math.sqrt(square);
      const k = 1 / w;
      let near = (-b - root) / a;
      let far = (-b + root) / a;
      const capNear = -z * k - Math.abs(k);
      const capFar = -z * k + Math.abs(k);
      if (capNear > near) near = capNear;
      if (capFar < far) far = capFar;
      return near <= far ? near : Infinity;
    }
    const a = u * u + v * v + w * w;
    const b = x * u + y * v + z * w;
    const c = x * x + y * y + z * z - 1;
    const square = b * b - a * c;
    return square < 0 ? Infinity : (-b - Math.sqrt(square)) / a;
  }
}
