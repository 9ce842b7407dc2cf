import { fromAxisAngle, fromYaw, multiply } from "./quat.ts";
import type { Transform } from "./transform.ts";
import { apply, invert } from "./transform.ts";
import type { Vec3 } from "./vec3.ts";

/** A place on Earth: WGS 84 degrees, and metres above the ellipsoid (not above the sea). */
export interface Geodetic {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly altitudeM: number;
}

/** WGS 84 (NIMA TR8350.2): semi-major axis in metres, flattening. */
const A = 6_378_137;
const F = 1 / 298.257_223_563;
const B = A * (1 - F);
const E2 = F * (2 - F);
const E2_PRIME = E2 / (1 - E2);
/** IUGG mean radius, for haversine. */
const MEAN_RADIUS_M = 6_371_008.8;
const RAD = Math.PI / 180;
const EAST: Vec3 = { x: 1, y: 0, z: 0 };

/** Earth-centred, Earth-fixed metres: +X through (0°, 0°), +Z through the north pole. */
export function geodeticToEcef({ latitudeDeg, longitudeDeg, altitudeM }: Geodetic): Vec3 {
  const [sinLat, cosLat] = sinCosDeg(latitudeDeg);
  const [sinLon, cosLon] = sinCosDeg(longitudeDeg);
  const n = A / Math.sqrt(1 - E2 * sinLat * sinLat);
  return {
    x: (n + altitudeM) * cosLat * cosLon,
    y: (n + altitudeM) * cosLat * sinLon,
    z: (n * (1 - E2) + altitudeM) * sinLat,
  };
}

/**
 * Bowring's iteration (1976) on the reduced latitude, to rounding in four steps from −6000 km to beyond the Moon.
 * The altitude formula has no division, so poles and equator are ordinary; longitude at a pole is 0.
 */
export function ecefToGeodetic({ x, y, z }: Vec3): Geodetic {
  const p = Math.sqrt(x * x + y * y);
  let beta = Math.atan2(A * z, B * p);
  let latitude = 0;
  for (let i = 0; i < 4; i++) {
    const s = Math.sin(beta);
    const c = Math.cos(beta);
    latitude = Math.atan2(z + E2_PRIME * B * s * s * s, p - E2 * A * c * c * c);
    beta = Math.atan2(B * Math.sin(latitude), A * Math.cos(latitude));
  }
  const sinLat = Math.sin(latitude);
  const altitudeM = p * Math.cos(latitude) + z * sinLat - A * Math.sqrt(1 - E2 * sinLat * sinLat);
  return { latitudeDeg: latitude / RAD, longitudeDeg: Math.atan2(y, x) / RAD, altitudeM };
}

/** East, north, up metres seen from `origin`: right-handed and Z-up, so it serves as a world frame (docs/formulas.md#axes-and-time). */
export function enuFromGeodetic(origin: Geodetic, place: Geodetic): Vec3 {
  return apply(invert(ecefFromEnu(origin)), geodeticToEcef(place));
}

/** The inverse of `enuFromGeodetic`; longitude comes back in (−180°, 180°]. */
export function geodeticFromEnu(origin: Geodetic, pointInEnu: Vec3): Geodetic {
  return ecefToGeodetic(apply(ecefFromEnu(origin), pointInEnu));
}

/** The pose of the local tangent plane: the transform of a "geodetic" frame edge. */
export function ecefFromEnu(origin: Geodetic): Transform {
  const q = multiply(
    fromYaw((origin.longitudeDeg + 90) * RAD),
    fromAxisAngle(EAST, (90 - origin.latitudeDeg) * RAD),
  );
  return { p: geodeticToEcef(origin), q };
}

/**
 * Great-circle distance on the mean sphere, altitude ignored: within 0.6 % of the geodesic, for "how far is it"
 * and coarse gates. For metres that matter use `enuFromGeodetic`.
 */
export function haversineM(a: Geodetic, b: Geodetic): number {
  const sinLat = Math.sin(((b.latitudeDeg - a.latitudeDeg) * RAD) / 2);
  const sinLon = Math.sin(((b.longitudeDeg - a.longitudeDeg) * RAD) / 2);
  const h = sinLat * sinLat + Math.cos(a.latitudeDeg * RAD) * Math.cos(b.latitudeDeg * RAD) * sinLon * sinLon;
  return 2 * MEAN_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

function sinCosDeg(degrees: number): [number, number] {
  return [Math.sin(degrees * RAD), Math.cos(degrees * RAD)];
}
