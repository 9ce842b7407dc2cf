import type { ReportRow } from "../mark.ts";

/** Colours that people with any kind of colour vision tell apart (Okabe and Ito). */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a7a7a"];
const WIDTH = 640;
const LABEL = 190;
const LINE = 24;

export function colourOf(n: number): string {
  return COLOURS[n % COLOURS.length]!;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** One figure of each configuration as a dot with its interval. */
export function dotPlot(rows: readonly ReportRow[], unit: string): string {
  const top = Math.max(...rows.map(({ high }) => high), 1e-9);
  const most = unit === "%" ? 100 : top * 1.05;
  const x = (value: number) => LABEL + (Math.max(0, Math.min(value, most)) / most) * (WIDTH - LABEL - 70);
  const height = rows.length * LINE + 34;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = x(share * most);
    const text = shortNumber(share * most);
    return `<line class="grid" x1="${at}" x2="${at}" y1="4" y2="${height - 26}"/><text class="tick" x="${at}" y="${height - 10}" text-anchor="middle">${text}</text>`;
  });
  const lines = rows.map(({ config, value, low, high }, n) => {
    const y = n * LINE + 18;
    const colour = config === "blind" ? "#999" : colourOf(0);
    return `<text x="${LABEL - 8}" y="${y + 4}" text-anchor="end">${escaped(config)}</text>
<line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="3" stroke-opacity=".45"/>
<circle cx="${x(value)}" cy="${y}" r="5" fill="${colour}"><title>${shortNumber(value)} [${shortNumber(low)}, ${shortNumber(high)}]</title></circle>
<text class="value" x="${x(high) + 8}" y="${y + 4}">${shortNumber(value)}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="figures with intervals">${ticks.join("")}${lines.join("")}</svg>`;
}

const RADAR = 420;
const RADIUS = 130;

/** What is correct by kind of question, a polygon for each configuration; 100 % is the rim. */
export function radar(
  axes: readonly string[],
  configs: readonly { readonly config: string; readonly values: readonly (number | null)[] }[],
): string {
  const centre = RADAR / 2;
  const at = (n: number, share: number) => {
    const angle = (2 * Math.PI * n) / axes.length - Math.PI / 2;
    return [centre + Math.cos(angle) * RADIUS * share, centre + Math.sin(angle) * RADIUS * share] as const;
  };
  const path = (shares: readonly number[]) =>
    shares
      .map((share, n) =>
        at(n, share)
          .map((v) => v.toFixed(1))
          .join(","),
      )
      .join(" ");
  const rings = [0.25, 0.5, 0.75, 1].map(
    (share) => `<polygon class="grid" fill="none" points="${path(axes.map(() => share))}"/>`,
  );
  const names = axes.map((axis, n) => {
    const [x, y] = at(n, 1.14);
    const anchor = Math.abs(x - centre) < 8 ? "middle" : x > centre ? "start" : "end";
    return `<text class="tick" x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" text-anchor="${anchor}">${escaped(axis)}</text>`;
  });
  const shapes = configs.map(
    ({ values }, n) =>
      `<polygon points="${path(values.map((value) => (value ?? 0) / 100))}" fill="${colourOf(n)}" fill-opacity=".1" stroke="${colourOf(n)}" stroke-width="2"/>`,
  );
  const legend = configs.map(
    ({ config }, n) => `<span class="key"><i style="background:${colourOf(n)}"></i>${escaped(config)}</span>`,
  );
  return `<figure class="radar"><svg viewBox="-70 0 ${RADAR + 140} ${RADAR}" role="img" aria-label="correct by kind of question">${rings.join("")}${shapes.join("")}${names.join("")}</svg><figcaption>${legend.join("")}</figcaption></figure>`;
}

function shortNumber(value: number): string {
  return Math.abs(value) >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(2);
}
