import type { PolicyName } from "../../schema/index.ts";
import { memory } from "./memory.ts";
import { exploreEqa, memoryEqa } from "./papers.ts";
import { nearest, random } from "./plain.ts";
import type { Policy } from "./policy.ts";

export type { Choice, Outlook, Policy } from "./policy.ts";

/** The oracle follows its route (`Exploration.route`); if it ever has to choose a frontier, it takes the nearest. */
const oracle: Policy = { ...nearest, name: "oracle" };

const ALL: Readonly<Record<PolicyName, Policy>> = {
  memory,
  "memory-eqa": memoryEqa,
  "explore-eqa": exploreEqa,
  nearest,
  random,
  oracle,
};

export function policyNamed(name: PolicyName): Policy {
  return ALL[name];
}
