/** Colours by class: equal lightness and chroma; the hue comes from the name. */
export function classColour(name: string): [number, number, number] {
  let hash = 2_166_136_261;
  for (let n = 0; n < name.length; n++) hash = Math.imul(hash ^ name.charCodeAt(n), 16_777_619);
  const hue = (((hash >>> 0) % 24) / 24) * 2 * Math.PI;
  return oklch(0.74, 0.105, hue);
}

/** Colours of robots, with no other meaning; after six they repeat. */
export const WAY_COLOURS = ["#7c4dcf", "#0a8793", "#b83a92", "#8a5a34", "#566573", "#6f7d22"];

/** Linear-light rgb, 0 to 1, of a colour in OKLCh (Ottosson 2020). */
function oklch(lightness: number, chroma: number, hue: number): [number, number, number] {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const gamma = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
  return rgb.map((c) => Math.min(Math.max(gamma(Math.max(c, 0)), 0), 1)) as [number, number, number];
}

/** As CSS writes it. */
export function css([r, g, b]: readonly [number, number, number]): string {
  return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
}
