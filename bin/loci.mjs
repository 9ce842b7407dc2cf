#!/usr/bin/env node
// Starts the command line on a Node that can run it. This file alone must parse on old Nodes.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
const recent = major > 22 || (major === 22 && minor >= 18);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

if (recent) {
  module.enableCompileCache();
  const source = here("../src/interfaces/cli/main.ts");
  await import(existsSync(source) ? source : here("../dist/interfaces/cli/main.js"));
} else {
  const bundled = here("../node_modules/.bin/node");
  if (!existsSync(bundled)) {
    process.stderr.write(
      `loci: needs Node 22.18 or newer, this is ${process.versions.node}; run npm install in the checkout (it brings Node 24) or install a newer Node\n`,
    );
    process.exit(1);
  }
  process.stderr.write(
    `loci: Node ${process.versions.node} is too old; going on with the Node 24 that npm installed here\n`,
  );
  const child = spawn(bundled, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (status, signal) => {
    if (signal) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(status ?? 1);
  });
}
