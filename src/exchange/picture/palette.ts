/** Light background, few colours, each with one meaning. */
export const PALETTE = {
  paper: "#faf9f6",
  sheet: "#f1efe9",
  free: "#ffffff",
  occupied: "#dcdad3",
  wallCell: "#c9ccd1",
  wall: "#3f4754",
  window: "#7fb2dd",
  door: "#b07d4f",
  thing: "#dbe3ea",
  thingEdge: "#8a9aa9",
  small: "#0f766e",
  smallFill: "#d5ebe7",
  gone: "#9ca3af",
  move: "#c2410c",
  person: "#7c3aed",
  agent: "#2563eb",
} as const;

/** Text colours. */
export const INK = {
  title: "#111827",
  quiet: "#6b7280",
  room: "#9a6b3f",
  thing: "#1f2937",
  leader: "#9ca3af",
  halo: "#ffffff",
} as const;

/** Faint tints that separate rooms without drawing attention. */
export const ROOM_TINTS = [
  "#f4f6f1",
  "#f8f3ea",
  "#eff4f8",
  "#f8f0f1",
  "#f2f0f8",
  "#f5f5ec",
  "#edf5f4",
] as const;
