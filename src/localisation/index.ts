export { NormalEquations } from "./normal-equations.ts";
export { IcpOdometry } from "./odometry/icp-odometry.ts";
export { PoseCorrector } from "./pose-corrector.ts";
export { isVague } from "./pose-gate.ts";
export { type Contacts, register, tukey } from "./registration.ts";
