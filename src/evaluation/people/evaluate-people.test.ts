import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { evaluatePeople, listPeopleQuestions, preparePeopleHouses } from "./evaluate-people.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-people-"));
  writeFileSync(
    join(folder, "houses.json"),
    JSON.stringify([{ seed: 20_003, rooms: 4, minutes: 0.5, fps: 1, noise: 0, rate: 0, people: 0 }]),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("makes a house with its sheet, asks about it, and uses the same memory again", async () => {
  const request = { data: folder, keep: join(folder, "keep") };
  const [made] = await preparePeopleHouses(request);
  const sheet = readFileSync(made!.sheet, "utf8");
  const room = /^It starts in the (.*) and drives/m.exec(sheet)![1]!;
  const [seen] = [...sheet.matchAll(/^- \*\*([a-z ]+)\*\*.*; seen 0/gm)].map(([, name]) => name!);
  const ask = (id: string, kind: string, question: string, expected: unknown) =>
    JSON.stringify({ id, kind, question, expect: expected });
  writeFileSync(
    join(folder, "20003.jsonl"),
    [
      ask("a", "list", `Is there a ${seen}?`, { yes: true }),
      ask("b", "false-premise", "Is there a submarine?", { anyOf: [{ yes: false }, { refuse: "unknown" }] }),
      ask("c", "robot", "Where did you start?", { room: [room] }),
    ].join("\n"),
  );
  expect(await listPeopleQuestions({ data: folder, kinds: ["robot"] })).toHaveLength(1);
  const out = join(folder, "rows.jsonl");
  const { report, text } = await evaluatePeople({ ...request, out });
  const rows = readFileSync(out, "utf8");
  expect(
    rows
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual(["a", "b", "c"]);
  expect(JSON.parse(rows.split("\n")[0]!)).toMatchObject({ house: 20_003, verdict: "right" });
  expect(report).toMatchObject({ questions: 3, houses: 1, memoriesBy: [made!.madeBy] });
  expect(text).toContain("3 questions by people about 1 houses");
  const kept = readdirSync(request.keep).sort();
  await evaluatePeople({ ...request, out });
  expect(readFileSync(out, "utf8")).toBe(rows);
  expect(readdirSync(request.keep).sort()).toEqual(kept);
  await expect(evaluatePeople({ ...request, kinds: ["route"] })).rejects.toThrow(/nothing is asked/);
}, 120_000);
