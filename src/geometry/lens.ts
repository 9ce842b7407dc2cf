/**
 * What a lens does to directions. `plumb_bob` is Brown's model (1966): k1, k2, p1, p2, k3. `rational_polynomial` is
 * OpenCV's: k1, k2, p1, p2, k3, k4, k5, k6, and thin prisms s1 to s4. `equidistant` is the fisheye of Kannala and
 * Brandt (2006): k1 to k4.
 */
export interface Lens {
  readonly model: "plumb_bob" | "rational_polynomial" | "equidistant";
  readonly coefficients: readonly number[];
}

/** A direction as its intersection with the plane one metre ahead: right and down. */
interface Ray {
  readonly x: number;
  readonly y: number;
}

/** Further out than this, 87° off the axis, a pinhole picture has no pixels worth filling. */
const MOST_RADIUS = 20;
const RADIUS_STEP = 0.005;
const NEWTON_STEPS = 20;
const NEWTON_DELTA = 1e-6;
/** In units of the focal length: a ten-thousandth of a pixel at a thousand pixels. */
const CLOSE = 1e-7;

/** Whether it changes anything. */
export function isBent({ model, coefficients }: Lens): boolean {
  return model === "equidistant" || coefficients.some((value) => value !== 0);
}

/** Where the lens shows a direction. */
export function distort({ model, coefficients }: Lens, { x, y }: Ray): Ray {
  const r2 = x * x + y * y;
  if (model === "equidistant") {
    const r = Math.sqrt(r2);
    if (r < 1e-12) return { x, y };
    const [k1 = 0, k2 = 0, k3 = 0, k4 = 0] = coefficients;
    const angle = Math.atan(r);
    const a2 = angle * angle;
    const share = (angle * (1 + a2 * (k1 + a2 * (k2 + a2 * (k3 + a2 * k4))))) / r;
    return { x: x * share, y: y * share };
  }
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0] = coefficients;
  const [s1 = 0, s2 = 0, s3 = 0, s4 = 0] = coefficients.slice(8);
  const radial =
    (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (model === "plumb_bob" ? 1 : 1 + r2 * (k4 + r2 * (k5 + r2 * k6)));
  const prism = model === "plumb_bob" ? 0 : r2;
  return {
    x: x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x) + prism * (s1 + s2 * r2),
    y: y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y + prism * (s3 + s4 * r2),
  };
}

/** The direction that the lens shows at a place; undefined where it shows none. */
export function undistort(lens: Lens, shown: Ray, reach = reachOf(lens)): Ray | undefined {
  // Newton's method with differences, from the direction that a lens without distortion would show.
  let { x, y } = shown;
  if (lens.model === "equidistant") {
    const angle = Math.min(Math.hypot(x, y), Math.atan(reach));
    const share = angle < 1e-12 ? 1 : Math.tan(angle) / Math.hypot(x, y);
    [x, y] = [x * share, y * share];
  }
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const at = distort(lens, { x, y });
    const [ex, ey] = [at.x - shown.x, at.y - shown.y];
    if (Math.hypot(ex, ey) < CLOSE) return Math.hypot(x, y) <= reach ? { x, y } : undefined;
    const delta = NEWTON_DELTA * Math.max(1, Math.hypot(x, y));
    const right = distort(lens, { x: x + delta, y });
    const down = distort(lens, { x, y: y + delta });
    const [a, b] = [(right.x - at.x) / delta, (down.x - at.x) / delta];
    const [c, d] = [(right.y - at.y) / delta, (down.y - at.y) / delta];
    const determinant = a * d - b * c;
    if (!(Math.abs(determinant) > 1e-12)) return undefined;
    x -= (d * ex - b * ey) / determinant;
    y -= (a * ey - c * ex) / determinant;
    if (!(Math.hypot(x, y) <= 2 * MOST_RADIUS)) return undefined;
  }
  return undefined;
}

/**
 * How far from the axis the model is one: beyond this radius the polynomial turns back and would show the picture a
 * second time, mirrored.
 */
export function reachOf(lens: Lens): number {
  let before = 0;
  for (let r = RADIUS_STEP; r <= MOST_RADIUS; r += RADIUS_STEP) {
    const { x } = distort({ ...lens, coefficients: radialOf(lens) }, { x: r, y: 0 });
    if (!(x > before)) return r - RADIUS_STEP;
    before = x;
  }
  return MOST_RADIUS;
}

/** Without the parts that are not the same all around. */
function radialOf({ model, coefficients }: Lens): readonly number[] {
  return model === "equidistant"
    ? coefficients
    : coefficients.slice(0, 8).map((value, i) => (i === 2 || i === 3 ? 0 : value));
}
