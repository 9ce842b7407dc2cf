import type { AnswerLine, ExperimentReport } from "../experiment.ts";
import { ALL, type Figures, HEADLINE, MACRO } from "../figures.ts";
import type { ReportRow } from "../mark.ts";
import type { ExperimentRun } from "../run-experiment.ts";
import { dotPlot, escaped, radar } from "./plots.ts";
import { holdsText, type Table, tablesOf } from "./text.ts";

/** Most wrong answers in the browser; the file of rows has all of them. */
const BROWSED = 400;
const RADAR_CONFIGS = 5;
const LEAST_AXES = 3;

/** A run as one self-contained file: tables, plots, and the wrong answers with their evidence. */
export function experimentHtml(run: ExperimentRun): string {
  const { report, shows } = run;
  const held = report.claims.filter(({ holds }) => holds).length;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(report.experiment)}</title><style>${STYLE}</style></head><body><main>
<header><h1>${escaped(report.experiment)}</h1><p>${escaped(shows)}</p>
<p class="facts"><b>${report.n}</b> items · seeds ${escaped(report.seeds.join(", "))} · <b>${held}</b> of ${report.claims.length} claims hold</p></header>
${claimsHtml(report)}
${suitesHtml(run)}
${browserHtml(run.answers)}
<section><h2>What the figures do not tell</h2>${report.limits
    .split(/(?<=\.) (?=[A-Z])/)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join("")}</section>
</main><script>${SCRIPT}</script></body></html>
`;
}

function claimsHtml({ claims }: ExperimentReport): string {
  const items = claims.map(({ text, holds }) => {
    const kind = holds === null ? "unknown" : holds ? "yes" : "no";
    return `<li class="${kind}"><b>${holdsText(holds)}</b> ${escaped(text)}</li>`;
  });
  return `<section><h2>Claims</h2><ul class="claims">${items.join("")}</ul></section>`;
}

function suitesHtml({ report, figures }: ExperimentRun): string {
  return tablesOf(report)
    .map((table) => {
      const rows = report.rows.filter(({ suite }) => suite === table.title);
      const of = (metric: string) => rows.filter((row) => row.slice === ALL && row.metric === metric);
      const others = [...new Set(rows.map(({ metric }) => metric))].filter(
        (metric) => metric !== HEADLINE && metric !== MACRO && metric !== "match",
      );
      const plots = [HEADLINE, ...others].map((metric) => {
        const own = of(metric);
        const isPercent = metric === HEADLINE;
        return own.length === 0
          ? ""
          : `<figure><figcaption>${isPercent ? "correct, %" : escaped(metric)}</figcaption>${dotPlot(own, isPercent ? "%" : "")}</figure>`;
      });
      return `<section><h2>${escaped(table.title)}</h2><div class="plots">${plots.join("")}${radarHtml(rows, figures)}</div>${tableHtml(table)}</section>`;
    })
    .join("\n");
}

/** By question type, for the few configurations that differ most: the first, the last, blind. */
function radarHtml(rows: readonly ReportRow[], { configs, marks }: Figures): string {
  const kinds = new Set(marks.map(({ type }) => type));
  const correct = rows.filter(({ metric, slice }) => metric === HEADLINE && slice !== ALL);
  const axes = [...new Set(correct.map(({ slice }) => slice))].filter((slice) => kinds.has(slice));
  const own = configs.filter((config) => correct.some((row) => row.config === config));
  if (axes.length < LEAST_AXES || own.length === 0) return "";
  const shown = own.length <= RADAR_CONFIGS ? own : [own[0]!, ...own.slice(1 - RADAR_CONFIGS)];
  const values = shown.map((config) => ({
    config,
    values: axes.map(
      (axis) => correct.find((row) => row.config === config && row.slice === axis)?.value ?? null,
    ),
  }));
  return radar(axes, values);
}

function tableHtml({ head, lines }: Table): string {
  const cells = (tag: string, line: readonly string[]) =>
    line.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("");
  const body = lines.map((line) => `<tr><th>${escaped(line[0]!)}</th>${cells("td", line.slice(1))}</tr>`);
  return `<div class="wide"><table><thead><tr>${cells("th", head)}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function browserHtml(answers: readonly AnswerLine[]): string {
  const wrong = answers
    .filter(({ right, config }) => !right && config !== "blind")
    .sort((a, b) => Number(b.pictures !== undefined) - Number(a.pictures !== undefined))
    .slice(0, BROWSED);
  if (wrong.length === 0) return "";
  const choose = (name: string, values: readonly string[]) =>
    `<label>${name} <select data-by="${name}"><option value="">all</option>${values.map((value) => `<option>${escaped(value)}</option>`).join("")}</select></label>`;
  const of = (key: "config" | "suite" | "type") => [...new Set(wrong.map((answer) => answer[key]))];
  return `<section id="wrong"><h2>Wrong answers</h2>
<p class="facts">${choose("config", of("config"))} ${choose("suite", of("suite"))} ${choose("type", of("type"))} <span id="count"></span></p>
${wrong.map(wrongHtml).join("\n")}</section>`;
}

function wrongHtml(answer: AnswerLine): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ""
      : `<h4>${title}</h4><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;
  const pictures = (answer.pictures ?? []).map(
    (url) => `<img alt="what was seen" loading="lazy" src="${url}">`,
  );
  return `<details data-config="${escaped(answer.config)}" data-suite="${escaped(answer.suite)}" data-type="${escaped(answer.type)}">
<summary><span class="tag">${escaped(answer.config)}</span> ${escaped(answer.question)}</summary>
<div class="answer"><div><p><b>expected</b> ${escaped(answer.expected)}</p><p><b>said</b> ${escaped(answer.said || "nothing")}</p>
<p class="why">${escaped(answer.type)} · ${escaped(answer.scene)} · ${escaped(answer.why)}</p>
${list("rests on", answer.evidence)}${list("tried", answer.trace)}</div><div class="pictures">${pictures.join("")}</div></div></details>`;
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--yes:#0a7d4f;--no:#b3402a}
body{margin:0;font:15px/1.5 system-ui,sans-serif}main{max-width:1180px;margin:0 auto;padding:24px}
h1{margin:0;font-size:28px}h2{margin:32px 0 8px;font-size:19px;border-bottom:1px solid var(--line)}h4{margin:8px 0 0}
.facts,.why,.tick,.value{opacity:.75}.claims{list-style:none;padding:0;columns:2 420px}.claims li{break-inside:avoid;padding:2px 0}
.claims b{display:inline-block;min-width:108px}.yes b{color:var(--yes)}.no b{color:var(--no)}.unknown b{opacity:.6}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(430px,1fr));gap:8px 24px}
figure{margin:8px 0}figcaption{font-weight:600;font-size:13px}svg{width:100%;height:auto;font-size:12px;fill:currentColor}
.grid{stroke:var(--line)}.key{display:inline-flex;align-items:center;gap:5px;margin-right:12px;font-weight:400}.key i{width:11px;height:11px;border-radius:2px}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:12.5px;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:3px 10px;text-align:left;border-bottom:1px solid var(--line)}thead th{font-weight:600}
details{border:1px solid var(--line);border-radius:6px;margin:4px 0;padding:5px 10px}summary{cursor:pointer}
.tag{background:var(--soft);border-radius:4px;padding:0 6px;font-size:12px}.answer{display:grid;grid-template-columns:1fr auto;gap:16px}.answer p{margin:4px 0}
.pictures{display:flex;flex-direction:column;gap:6px}.pictures img{width:200px;border-radius:4px;image-rendering:pixelated}ul{margin:2px 0;padding-left:18px}`;

const SCRIPT = `
const items=[...document.querySelectorAll("#wrong details")],by=[...document.querySelectorAll("#wrong select")];
const show=()=>{let n=0;for(const item of items){const is=by.every(s=>!s.value||item.dataset[s.dataset.by]===s.value);item.hidden=!is;n+=is}
const count=document.querySelector("#count");if(count)count.textContent=n+" shown"};for(const s of by)s.addEventListener("change",show);if(items.length)show();`;
