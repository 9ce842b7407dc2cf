// One operation on a memory, to be killed while it is under way: node operation.ts OPERATION FOLDER SOURCE
import { writeSync } from "node:fs";
import { importMemory } from "../../src/compose/import.ts";
import { ingestRecording, openMemory, retainWithin } from "../../src/index.ts";

const [operation, folder, source] = process.argv.slice(2) as [string, string, string];
const memory =
  operation === "import" ? undefined : await openMemory(operation === "backup" ? source : folder);
writeSync(1, "ready\n");
switch (operation) {
  case "ingest":
    await ingestRecording(memory!, source);
    break;
  case "forget": {
    const kinds = new Set((await memory!.tracks().find(200)).map(({ record }) => record.category));
    const [some] = [...kinds].sort();
    const things = await memory!.records("track").find(500);
    const ids = things
      .filter(({ record }) => some !== undefined && record.id < "track-8")
      .map(({ record }) => record.id);
    await memory!.forget(ids, "asked to");
    break;
  }
  case "retain": {
    const { lastUs } = await memory!.stats();
    await retainWithin(memory!, { nowUs: lastUs!, maxBytes: 450_000 });
    break;
  }
  case "reembed":
    await memory!.reembed("hashing:64");
    break;
  case "import":
    await importMemory(folder, source);
    break;
  case "backup":
    await memory!.backup(folder);
    break;
}
await memory?.close();
