import { copyMemory } from "../../../compose.ts";
import { countOf, type Terminal } from "../terminal.ts";

export async function run(
  _options: { readonly json?: boolean },
  terminal: Terminal,
  from: string,
  to: string,
): Promise<void> {
  const report = await copyMemory(from, to, {
    environment: process.env,
    signal: terminal.signal,
    onProgress: (rows) => terminal.progress(`${rows.toLocaleString("en")} rows`),
  });
  const resumed = report.resumedFrom > 0 ? `, ${report.resumedFrom.toLocaleString("en")} of them before` : "";
  terminal.result(
    report,
    () => `copied ${countOf(report.rows, "row")}${resumed}; both have content sha256 ${report.digest}`,
  );
}
