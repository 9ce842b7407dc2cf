import { settings } from "../schema/settings.ts";

/** Cells of the map and what a frame says of them: value, unit, least, most, where it comes from. */
export const GRID = settings("map.grid", {
  /** Side of a cell; nothing is known, drawn or told apart more finely. */
  cellM: [0.1, "m", 0.05, 0.2, "paper"],
  /** Evidence is a logarithm of odds in tenths, so that it fits a byte; the clamp lets a changed world win soon. */
  hit: [12, "tenths of log-odds", 6, 24, "experiment"],
  miss: [-4, "tenths of log-odds", -8, -2, "experiment"],
  clamp: [60, "tenths of log-odds", 30, 120, "experiment"],
  /** Past this the cell is believed occupied, or free on the other side. */
  believed: [5, "tenths of log-odds", 2, 10, "experiment"],
  /** Heights above the floor are told apart by this. */
  stepM: [0.05, "m", 0.02, 0.1, "experiment"],
  /** Where the bands begin: floor, what one steps over, a table, a chest; above it heads and lintels, up to what is ceiling. */
  floorFromM: [-0.2, "m", -0.3, -0.1, "experiment"],
  lowFromM: [0.1, "m", 0.05, 0.15, "experiment"],
  midFromM: [0.5, "m", 0.3, 0.7, "experiment"],
  highFromM: [1.1, "m", 0.9, 1.3, "experiment"],
  highToM: [1.8, "m", 1.6, 2, "experiment"],
  /** Doorways end below, walls and lintels do not. */
  headFromM: [2.15, "m", 2.05, 2.25, "experiment"],
  headToM: [2.5, "m", 2.4, 2.7, "experiment"],
  /** Beyond it depth noise is as wide as a wall, and drift wider; up to the other a hit is sure. */
  rangeM: [7, "m", 4, 10, "datasheet"],
  sureM: [4, "m", 2, 6, "datasheet"],
  /** Cells in front of a hit that prove nothing: noise along the ray. An outline strays as far from the cells' edges. */
  marginCells: [1.5, "cells", 1, 3, "experiment"],
  /** Masks and boxes leave out a rim: hands, feet, the noise of depth. */
  rimM: [0.25, "m", 0.1, 0.5, "experiment"],
  rimPx: [3, "px", 1, 6, "experiment"],
  /** Below these a correction moves no cell (docs/formulas.md#frames). */
  stillM: [0.02, "m", 0.01, 0.05, "paper"],
  stillRad: [Math.PI / 360, "rad", 0.004, 0.02, "paper"],
  /** Side of the little cubes of which each keeps its first coloured point, and how far away that, or a thing from its place, may be. */
  voxelM: [0.06, "m", 0.03, 0.12, "experiment"],
  pointsToM: [6, "m", 4, 8, "datasheet"],
  /** 335,000 m² of one storey; what is seen beyond is not put together. */
  maxStoreyTiles: [8_192, "tiles", 1_024, 65_536, "limit"],
});

/** Floors, storeys and ceilings. */
export const FLOORS = settings("map.floors", {
  /** Floors of two frames that differ by less are one: a doorstep, a ramp, the sway of a hand. */
  sameFloorM: [0.3, "m", 0.2, 0.4, "experiment"],
  /** Layers whose floors differ by less in the world are one storey; steps of a staircase are not. */
  sameStoreyM: [0.5, "m", 0.4, 0.8, "experiment"],
  /** Points this near to the feet, and how many, or which share of them, make a floor. */
  atFeetM: [2.5, "m", 1.5, 4, "experiment"],
  supportPoints: [12, "count", 6, 24, "experiment"],
  supportShare: [0.12, "share", 0.06, 0.24, "experiment"],
  /** After so many looks the height of a camera is believed; it is learnt as a mean of twice as many. */
  trustAfter: [5, "count", 3, 10, "experiment"],
  floorBins: [64, "count", 48, 96, "limit"],
  /** No ceiling is lower, the tops of doors and wardrobes lie within two cells above that, and storeys are not nearer to each other. */
  lowestCeilingM: [2, "m", 1.9, 2.2, "experiment"],
  /** Fewer points say nothing about a ceiling. Walls fill all heights alike; a ceiling stands out this many times. */
  ceilingPoints: [400, "count", 200, 800, "experiment"],
  standsOut: [5, "count", 3, 10, "experiment"],
  ceilingBins: [48, "count", 32, 64, "limit"],
  lookAgainEvery: [4_096, "count", 1_024, 16_384, "limit"],
  /** Less floor than this, seen itself and not only looked over, is a landing or a step, not a storey. */
  storeyM2: [4, "m²", 2, 8, "experiment"],
  /** Nearer than the lowest ceiling to a storey with more floor, a level is its staircase, unless it is as large as a room. */
  landingM2: [10, "m²", 6, 16, "experiment"],
  /** A submap that no frame came to for so long is put to rest; late packets come sooner. Who was away for longer did not walk there. */
  restAfterUs: [30_000_000, "µs", 10_000_000, 120_000_000, "experiment"],
  maxLayers: [64, "count", 16, 256, "limit"],
});

/** A room is drawn to just above where walls and lintels were looked for. */
export const ROOM_HEIGHT_M = GRID.headToM + GRID.cellM;

/** Rooms: walls, doors, outlines, what they are for. */
export const ROOMS = settings("map.rooms", {
  /**
   * A wall that was seen badly is at most twice as thick as this, holes in it are narrower, and pieces of it lie half as far apart.
   * What hangs at head height and reaches less far than twice this is a lamp; a thing that went farther may be behind a wall.
   */
  wallM: [0.4, "m", 0.3, 0.6, "experiment"],
  /** A passage that is narrower than this share of both rooms' widths separates them… */
  narrowing: [0.75, "share", 0.6, 0.9, "experiment"],
  /** …unless it is wider than anything one would call a door or an arch. */
  widestDoorM: [1.7, "m", 1.3, 2.2, "experiment"],
  /** A door in its frame is as thin as this and has wall at both ends; so far from a thing towards the camera lies its room. */
  doorM: [0.3, "m", 0.2, 0.5, "experiment"],
  smallestM2: [1.5, "m²", 1, 3, "experiment"],
  /** How much of a room's border must be wall, not edge of the known: outdoors there are no rooms. */
  enclosedShare: [0.35, "share", 0.2, 0.5, "experiment"],
  /** How much of the outlines must run along two directions for the building to be rectangular, and how far from them. */
  squareShare: [0.7, "share", 0.5, 0.9, "experiment"],
  /** How far sides may bend, and how much more or less than its cells a squared outline may cover. */
  bendShare: [0.15, "share", 0.08, 0.3, "experiment"],
  /** Shorter sides tell no direction. */
  leastSteps: [10, "cells", 5, 20, "experiment"],
  /** A piece of wall that is shorter than this, between two that run alike, is taken for noise. */
  jogM: [0.35, "m", 0.2, 0.6, "experiment"],
  maxCorners: [512, "count", 128, 1_024, "limit"],
  /** What of a room may be new and the room still be the old one. */
  sameShare: [0.3, "share", 0.2, 0.5, "experiment"],
  /** A drawing that changed less than this is not drawn anew. */
  redrawShare: [0.03, "share", 0.01, 0.1, "experiment"],
  /** A thing or a place this far outside of every room belongs to none. */
  nearM: [0.5, "m", 0.3, 1, "experiment"],
  /** What the room that its middle lies in counts for, in looks from a room. */
  ownVotes: [1.5, "votes", 1, 3, "experiment"],
  /** Looks that are kept of each thing, and of how many things, to say in which room it is seen. */
  maxLooks: [6, "count", 3, 12, "limit"],
  maxStates: [100_000, "count", 10_000, 1_000_000, "limit"],
  /** Long and narrow rooms with many doors are ways, not places. */
  passageAspect: [2.6, "share", 2, 3.5, "experiment"],
  passageWidthM: [2.8, "m", 2, 3.5, "experiment"],
  passageWeight: [2.5, "votes", 1, 5, "experiment"],
  /** Less evidence than this names nothing. Of the same kind, a second thing adds less than the first. */
  enough: [2, "votes", 1, 4, "experiment"],
  repeat: [0.4, "share", 0.2, 0.8, "experiment"],
  maxRepeats: [4, "count", 2, 8, "limit"],
});

/** Places, ways and views. */
export const WAYS = settings("map.ways", {
  /** Between places; twice as far away one may stand for where somebody asked, or for the first clusters of the forest. */
  spacingM: [1, "m", 0.5, 2, "paper"],
  /**
   * Of a robot, where nothing else is; of what does not hide a thing although it is before it: noise, its own surface. A place
   * that a correction moved farther is put into the forest anew.
   */
  radiusM: [0.2, "m", 0.1, 0.5, "experiment"],
  /** Views of a thing: from rings around it, out from the nearest, every second one twice as far. */
  ringM: [0.8, "m", 0.5, 1.2, "experiment"],
  rings: [4, "count", 2, 8, "limit"],
  angles: [24, "count", 12, 48, "limit"],
  maxViews: [8, "count", 4, 16, "limit"],
  /** How high one looks from if nobody says so. */
  lookFromM: [1.2, "m", 0.3, 1.8, "experiment"],
  /** Inner points of a box that stand for it, as shares of its half size. */
  inner: [0.6, "share", 0.3, 0.9, "experiment"],
  /** A box flatter than this has a front. */
  flatShare: [0.35, "share", 0.2, 0.5, "experiment"],
  pathScaleM: [10, "m", 5, 20, "experiment"],
  /** The pieces of map are laid together whenever so many more have come to rest: some ten minutes. */
  consolidatePieces: [32, "count", 16, 64, "limit"],
  maxEdges: [64, "count", 32, 128, "limit"],
  maxLinks: [64, "count", 32, 128, "limit"],
  maxLines: [16, "count", 8, 32, "limit"],
});

/** The forest of regions and its summaries (docs/formulas.md#forest). */
export const FOREST = settings("map.forest", {
  fanOut: [12, "count", 6, 24, "paper"],
  /** A summary is stale when more of the leaves or things below than this came or went since. */
  staleShare: [0.2, "share", 0.1, 0.4, "paper"],
  /** Beyond so many near neighbours each, what lies in a corner of a cluster, as one part of its width, is taken as one from the start. */
  crowded: [64, "count", 32, 128, "limit"],
  corner: [4, "count", 2, 8, "limit"],
  /** How alike two things at the full distance must be, where meaning takes part. */
  farCosine: [0.5, "share", 0.25, 0.75, "paper"],
  maxSample: [2_000, "count", 500, 8_000, "limit"],
  /** Levels above which nothing can lie apart: 2^40 metres. */
  maxLevels: [40, "count", 32, 64, "limit"],
  maxLeafLines: [8, "count", 4, 16, "limit"],
  maxWords: [100, "count", 50, 200, "limit"],
  maxThings: [12, "count", 6, 24, "limit"],
  maxNameThings: [2, "count", 1, 4, "limit"],
  maxSentences: [3, "count", 1, 6, "limit"],
  maxSentenceChars: [320, "count", 160, 640, "limit"],
  maxSentencesRead: [400, "count", 100, 1_600, "limit"],
  maxNameWords: [3, "count", 2, 6, "limit"],
  maxRelationships: [16, "count", 8, 32, "limit"],
  readAtOnce: [1_000, "count", 100, 10_000, "limit"],
});
