import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { apiPage, PAGES, withErrorTable } from "../scripts/api-docs.ts";
import { CLIENT, pythonClient } from "../scripts/python-client.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const REMEDY = "run: npx node scripts/api-docs.ts";

it("the reference is what the server and the commands say of themselves", async () => {
  expect(read(PAGES.api), REMEDY).toBe(await apiPage());
});

it("the table of errors has every code", () => {
  const page = read(PAGES.troubleshooting);
  expect(page, REMEDY).toBe(withErrorTable(page));
});

it("the Python client has every operation", () => {
  const text = read(CLIENT);
  expect(text, "run: npx node scripts/python-client.ts").toBe(pythonClient(text));
});
