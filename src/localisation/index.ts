export { IcpOdometry } from "./odometry/icp-odometry.ts";
export { PoseCorrector } from "./pose-corrector.ts";
export { isVague } from "./pose-gate.ts";
