export { motionBetween, moved } from "./odometry/alignment.ts";
export { IcpOdometry } from "./odometry/icp-odometry.ts";
export { NormalEquations } from "./odometry/normal-equations.ts";
export { PoseCorrector } from "./pose-corrector.ts";
export { isVague } from "./pose-gate.ts";
