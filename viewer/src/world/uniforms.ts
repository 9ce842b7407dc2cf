import { Color, Vector2, Vector3 } from "three";
import type { Theme } from "../data/store.ts";

/** Uniforms shared by every material: one write moves the whole world through time. */
export function sharedUniforms() {
  return {
    uTime: { value: 0 },
    /** The storey shown: lowest and highest z. */
    uStorey: { value: new Vector2(-1e9, 1e9) },
    /** Camera position, for walls that recede. */
    uEye: { value: new Vector3() },
    uColouring: { value: 0 },
    uInk: { value: new Color() },
    uPaper: { value: new Color() },
    uAccent: { value: new Color() },
    uSelect: { value: new Color() },
    uIsDark: { value: 0 },
    /** Range of the age colouring, seconds. */
    uAgeSpan: { value: 3_600 },
    uHasLit: { value: 0 },
  };
}

export type Shared = ReturnType<typeof sharedUniforms>;

const COLOURS = {
  light: { ink: "#20302b", paper: "#eef0ec", accent: "#e58a12", select: "#1f6feb" },
  dark: { ink: "#dfe8e3", paper: "#101513", accent: "#ffb347", select: "#6aa8ff" },
} as const;

export function themeUniforms(shared: Shared, theme: Theme): void {
  const { ink, paper, accent, select } = COLOURS[theme];
  shared.uInk.value.set(ink);
  shared.uPaper.value.set(paper);
  shared.uAccent.value.set(accent);
  shared.uSelect.value.set(select);
  shared.uIsDark.value = theme === "dark" ? 1 : 0;
}
