/** One standard deviation of a structured-light depth at `z` metres (Nguyen et al. 2012), in metres. */
export function depthSdM(z: number): number {
  return 0.0012 + 0.0019 * (z - 0.4) * (z - 0.4);
}
