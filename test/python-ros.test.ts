import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../clients/ros2");
const found = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 9))"], {
  encoding: "utf8",
});
const missing = found.stdout?.trim() === "True" ? "" : " (skipped: no python3 of 3.9 or newer here)";
const python = promisify(execFile);

/** What of the ROS 2 package needs no ROS, on the system's python3 and with a real server. */
describe(`the ROS 2 package${missing}`, () => {
  it.skipIf(missing)(
    "asks a memory, and says things, rooms, answers and goals as plain values",
    async () => {
      const { stderr } = await python("python3", ["-m", "unittest", "discover", "-s", "loci_ros/test"], {
        cwd: FOLDER,
        env: { ...process.env, LOCI_NODE: process.execPath, PYTHONDONTWRITEBYTECODE: "1" },
        timeout: 240_000,
      });
      expect(stderr).toMatch(/Ran 10 tests in .*\n\nOK\n$/);
    },
    250_000,
  );

  it.skipIf(missing)(
    "has a node, a launch file and a setup that Python can parse, and every interface",
    async () => {
      const files = ["loci_ros/loci_ros/node.py", "loci_ros/launch/loci.launch.py", "loci_ros/setup.py"];
      const parse = "import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]";
      await python("python3", ["-c", parse, ...files], { cwd: FOLDER });
      const made = readFileSync(join(FOLDER, "loci_interfaces/CMakeLists.txt"), "utf8");
      const named = [...made.matchAll(/"((?:srv|action)\/\w+\.\w+)"/g)].map(([, name]) => name!);
      expect(named.sort()).toEqual(["action/GoTo.action", "srv/Ask.srv", "srv/Find.srv", "srv/Goal.srv"]);
      const node = readFileSync(join(FOLDER, "loci_ros/loci_ros/node.py"), "utf8");
      for (const name of named) {
        const file = readFileSync(join(FOLDER, "loci_interfaces", name), "utf8");
        const [type] = name.split("/")[1]!.split(".");
        expect(node).toContain(type);
        // What the node fills in is declared.
        for (const [, field] of file.matchAll(/^[\w/]+(?:\[\])? (\w+)$/gm))
          expect(node, `${name}: ${field}`).toContain(field);
      }
    },
  );
});
