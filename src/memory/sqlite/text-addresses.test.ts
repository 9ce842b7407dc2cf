import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { textHash } from "../rows/text-hash.ts";
import { Contents } from "./commit.ts";
import { Connection } from "./connection.ts";
import { createMemory, filesOf, openForWriting } from "./files.ts";
import { hashesOf, TextAddresses } from "./text-addresses.ts";
import { verifyMemory } from "./verify.ts";
import { SqliteWriter } from "./writer.ts";

let folder: string;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-texts-"));
  createMemory(folder);
  connection = open();
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = () => new Connection(openForWriting(folder), filesOf(folder).database, true);
const find = (...texts: string[]) => connection.texts.find(hashesOf(texts));
const named = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `text ${from + i}`);
const filed = () => Number(connection.row("SELECT count(*) FROM text_address")?.[0]);

function add(texts: readonly string[]): void {
  connection.writing(() => {
    new Contents(connection).addTexts(texts);
    connection.texts.fileIfDue();
  });
}

describe("texts by content", () => {
  it("are found while they wait, when they are filed, and by the next writer", () => {
    add(named(0, 100));
    expect(filed()).toBe(0);
    add(named(50, 9_000));
    expect(filed()).toBe(9_000);
    add(named(8_990, 9_010));
    expect(filed()).toBe(9_000);
    const expected = new Map([0, 8_999, 9_000, 9_009].map((i) => [`text ${i}`, i + 1]));
    expect(find("text 0", "text 8999", "text 9000", "text 9009", "text 9010")).toEqual(expected);
    connection.close();
    connection = open();
    expect(find("text 0", "text 8999", "text 9000", "text 9009", "text 9010")).toEqual(expected);
    expect(Number(connection.row("SELECT count(*) FROM meaning")?.[0])).toBe(9_010);
  });

  it("are filed by a writer after it has answered, and stay one each", async () => {
    const filing = vi.spyOn(TextAddresses.prototype, "fileIfDue");
    const writer = new SqliteWriter(open(), folder, { nowUs: () => 1, tidiesLater: true, onClose: () => {} });
    const records = named(0, 8_500).map((text, i) => ({
      kind: "caption" as const,
      id: `c${i}`,
      source: "human" as const,
      validFromUs: 0,
      validToUs: null,
      text: [text],
    }));
    await writer.write({ records });
    expect(filing).not.toHaveBeenCalled();
    writer.tidy();
    expect(filing).toHaveBeenCalledOnce();
    filing.mockRestore();
    expect(filed()).toBe(8_500);
    await writer.write({ records: records.map((record) => ({ ...record, topic: "again" })) });
    writer.tidy();
    await writer.close();
    expect(filed()).toBe(8_500);
    expect(Number(connection.row("SELECT count(*) FROM meaning")?.[0])).toBe(8_500);
    expect(verifyMemory(connection, false).problems).toEqual([]);
  });

  it("are not taken for another text of the same hash", () => {
    connection.run("INSERT INTO meaning (text, hash) VALUES ('impostor', ?)", textHash("real"));
    expect(find("real")).toEqual(new Map());
    add(["real", "other"]);
    expect(find("real", "other")).toEqual(
      new Map([
        ["real", 2],
        ["other", 3],
      ]),
    );
    add(named(0, 9_000));
    expect(filed()).toBe(9_003);
    expect(find("real")).toEqual(new Map([["real", 2]]));
  });

  it("are as they were after a commit that failed", () => {
    add(["kept"]);
    expect(() =>
      connection.writing(() => {
        new Contents(connection).addTexts(["lost", ...named(0, 9_000)]);
        connection.texts.fileIfDue();
        throw new Error("the disk is gone");
      }),
    ).toThrow("the disk is gone");
    expect(find("kept", "lost", "text 5")).toEqual(new Map([["kept", 1]]));
    expect(filed()).toBe(0);
    add(["another"]);
    expect(find("kept", "another").get("another")).toBe(2);
  });

  it("are gone once they are deleted, filed or not", () => {
    add(named(0, 9_000));
    add(["late"]);
    connection.writing(() => {
      for (const meaning of [1, 9_001]) {
        connection.texts.remove(meaning);
        connection.run("DELETE FROM meaning WHERE id = ?", meaning);
      }
    });
    expect(find("text 0", "text 1", "late")).toEqual(new Map([["text 1", 2]]));
    expect(connection.texts.problem()).toBeUndefined();
    add(["late"]);
    expect(find("late").get("late")).toBe(9_002);
  });

  it("are checked by verify, which tells of doubles and files anew what was lost", () => {
    add(named(0, 9_000));
    connection.run("DELETE FROM text_address WHERE meaning = 7");
    connection.run("INSERT INTO text_address (hash, meaning) VALUES (1, 99999)");
    connection.run("INSERT INTO meaning (text, hash) VALUES ('text 3', ?)", textHash("text 3"));
    const { problems } = verifyMemory(connection, false);
    expect(problems).toEqual([
      'texts 4, 9001: "text 3" is stored more than once',
      "1 texts cannot be found by their content, 1 addresses lead nowhere; run verify with repair",
    ]);
    connection.run("DELETE FROM meaning WHERE id = 9001");
    connection.writing(() => connection.texts.mend());
    expect(find("text 6")).toEqual(new Map([["text 6", 7]]));
    expect(connection.texts.problem()).toBeUndefined();
  });
});
