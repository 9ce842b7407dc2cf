import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The stages in order. A stage may use earlier stages, never later ones. */
const WAY = ["settings", "state", "records", "associate", "observe", "merge", "presence", "moves"] as const;

/** The stage that writes each part of a thing; `state` holds their classes, and joins and splits whole records. */
const WRITER: Readonly<Record<string, (typeof WAY)[number]>> = {
  identity: "records",
  shape: "observe",
  evidence: "observe",
  doubts: "presence",
  rivals: "merge",
  links: "moves",
};

/** The file that rebuilds things from the memory. */
const LOADER = "resume.ts";

const files = WAY.flatMap((stage) =>
  readdirSync(join(import.meta.dirname, stage))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => ({
      stage,
      name,
      text: readFileSync(join(import.meta.dirname, stage, name), "utf8"),
    })),
);

describe("the stages of tracking", () => {
  it("use only stages before them", () => {
    const wrong = files.flatMap(({ stage, name, text }) =>
      Array.from(text.matchAll(/from "\.\.\/([a-z]+)\//g), ([, other]) => other as (typeof WAY)[number])
        .filter((other) => WAY.includes(other) && WAY.indexOf(other) > WAY.indexOf(stage))
        .map((other) => `${stage}/${name} → ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it("each write their own part of a thing", () => {
    const wrong = files.flatMap(({ stage, name, text }) =>
      stage === "state" || name === LOADER
        ? []
        : Array.from(
            text.matchAll(
              /\.(identity|shape|evidence|doubts|rivals|links)\.(\w+)(?: [-+*?|&]*= |\+\+|--|\.(?:push|pop|shift|splice)\()/g,
            ),
          )
            .filter(([, part]) => WRITER[part!] !== stage)
            .map(([, part, field]) => `${stage}/${name} writes ${part}.${field}`),
    );
    expect(wrong).toEqual([]);
  });

  it("have at least one file each, so that the rules above are about something", () => {
    for (const stage of WAY) expect(files.some((file) => file.stage === stage)).toBe(true);
  });
});
