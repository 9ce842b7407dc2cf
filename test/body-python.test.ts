import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { goFind, targetsOf } from "../bench/body/find-things.ts";
import { servePythonBody } from "../bench/body/python-body.ts";
import { openRemoteBody } from "../src/exploration/bodies/remote-body.ts";
import { boxWorldOf, LiveHouse } from "../src/world/index.ts";

const found = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 9))"], {
  encoding: "utf8",
});
const missing = found.stdout?.trim() === "True" ? "" : " (skipped: no python3 of 3.9 or newer here)";

describe(`the Python reference body${missing}`, () => {
  it.skipIf(missing)(
    "is sent through a house of boxes by the explorer, and finds what it is sent for",
    async () => {
      const house = new LiveHouse({ seed: 801, rooms: 4, floors: 1, noise: 0 });
      const [target] = targetsOf(house);
      const served = await servePythonBody(boxWorldOf(house));
      const body = await openRemoteBody({ url: served.url });
      try {
        const start = await body.whereabouts();
        expect(start.positionInWorld).toMatchObject(house.start().positionInWorld);
        const result = await goFind(body, target!);
        expect(result).toMatchObject({ isRight: true, end: "answered" });
        expect(result.pathM).toBeGreaterThan(1);
      } finally {
        await body.close();
        await served.close();
      }
    },
    300_000,
  );
});
