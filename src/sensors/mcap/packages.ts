import { LociError } from "../../schema/index.ts";

/** Loaded on first use, so that processes that never open an MCAP file do not pay for it. */
export async function loadMcap() {
  try {
    const core = await import("@mcap/core");
    const support = await import("@mcap/support");
    const cdr = await import("@foxglove/rosmsg2-serialization");
    return { core, support, cdr };
  } catch (cause) {
    throw new LociError(
      "not-supported",
      "MCAP needs the packages @mcap/core, @mcap/support and @foxglove/rosmsg2-serialization",
      { cause },
    );
  }
}
