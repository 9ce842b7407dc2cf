import { RECORD_KINDS } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import type { CallOptions } from "../port.ts";
import { RECORD_COLUMNS } from "../rows/codec.ts";
import { type ScanOutcome, scanRows } from "../rows/scan.ts";
import type { Connection } from "./connection.ts";
import type { ReadView } from "./read-view.ts";

/** The plain search of everything that is believed. */
export function scanSearch(
  connection: Connection,
  view: ReadView,
  request: CheckedRequest,
  options: CallOptions = {},
): ScanOutcome {
  const { sql, values, driver } = source(view, request, request.meaning?.words !== undefined);
  return scanRows(connection, view, request, { rows: connection.each(sql, ...values), driver }, options);
}

function source(view: ReadView, request: CheckedRequest, needsAll: boolean) {
  const conditions = [view.believed];
  const values = [...view.memoryTime];
  if (request.kinds) {
    conditions.push(
      `kind IN (${request.kinds.map((kind) => RECORD_KINDS.indexOf(kind)).join(", ") || "NULL"})`,
    );
  }
  let driver = "scan";
  // Word statistics cover everything the reader sees, so then nothing may be left out early.
  for (const [key, column] of [
    ["ids", "id"],
    ["owner", "owner"],
  ] as const) {
    const list = request.where?.[key];
    if (list === undefined || needsAll) continue;
    driver = column;
    conditions.push(`${column} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(list));
  }
  return { sql: `SELECT ${RECORD_COLUMNS} FROM record WHERE ${conditions.join(" AND ")}`, values, driver };
}
