import { settings } from "../schema/settings.ts";

/** Cells of the map and the evidence of a frame: value, unit, least, most, source. */
export const GRID = settings("map.grid", {
  /** Side of a cell, the finest resolution of the map. */
  cellM: [0.1, "m", 0.05, 0.2, "paper"],
  /** Evidence is log-odds in tenths, to fit a byte; the clamp lets a changed world win soon. */
  hit: [12, "tenths of log-odds", 6, 24, "experiment"],
  miss: [-4, "tenths of log-odds", -8, -2, "experiment"],
  clamp: [60, "tenths of log-odds", 30, 120, "experiment"],
  /** Beyond this the cell counts as occupied or, on the negative side, as free. */
  believed: [5, "tenths of log-odds", 2, 10, "experiment"],
  /** Resolution of heights above the floor. */
  stepM: [0.05, "m", 0.02, 0.1, "experiment"],
  /** Where the bands begin: floor, step-over height, table, chest; above them heads and lintels, up to the ceiling. */
  floorFromM: [-0.2, "m", -0.3, -0.1, "experiment"],
  lowFromM: [0.1, "m", 0.05, 0.15, "experiment"],
  midFromM: [0.5, "m", 0.3, 0.7, "experiment"],
  highFromM: [1.1, "m", 0.9, 1.3, "experiment"],
  highToM: [1.8, "m", 1.6, 2, "experiment"],
  /** Doorways end below, walls and lintels do not. */
  headFromM: [2.15, "m", 2.05, 2.25, "experiment"],
  headToM: [2.5, "m", 2.4, 2.7, "experiment"],
  /** Beyond the first, depth noise is as wide as a wall and drift wider; up to the second a hit is certain. */
  rangeM: [7, "m", 4, 10, "datasheet"],
  sureM: [4, "m", 2, 6, "datasheet"],
  /**
   * Cells in front of a hit without evidence, because of noise along the ray. Also an outline's deviation from the
   * cells' edges.
   */
  marginCells: [1.5, "cells", 1, 3, "experiment"],
  /** Margin around masks and boxes: hands, feet, depth noise. */
  rimM: [0.25, "m", 0.1, 0.5, "experiment"],
  rimPx: [3, "px", 1, 6, "experiment"],
  /** Smaller corrections move no cell (docs/formulas.md#frames). */
  stillM: [0.02, "m", 0.01, 0.05, "paper"],
  stillRad: [Math.PI / 360, "rad", 0.004, 0.02, "paper"],
  /**
   * Side of the voxels that each keep their first coloured point, and the greatest distance of that point, or of a
   * thing from its place.
   */
  voxelM: [0.06, "m", 0.03, 0.12, "experiment"],
  pointsToM: [6, "m", 4, 8, "datasheet"],
  /** 335,000 m² of one storey; space beyond is not composed. */
  maxStoreyTiles: [8_192, "tiles", 1_024, 65_536, "limit"],
});

/** Floors, storeys and ceilings. */
export const FLOORS = settings("map.floors", {
  /** Floors of two frames that differ by less are one: a doorstep, a ramp, the sway of a hand. */
  sameFloorM: [0.3, "m", 0.2, 0.4, "experiment"],
  /** Layers whose floors differ by less in the world are one storey; steps of a staircase are not. */
  sameStoreyM: [0.5, "m", 0.4, 0.8, "experiment"],
  /** Range of points at the feet, and the number or share of them that make a floor. */
  atFeetM: [2.5, "m", 1.5, 4, "experiment"],
  supportPoints: [12, "count", 6, 24, "experiment"],
  supportShare: [0.12, "share", 0.06, 0.24, "experiment"],
  /** After this many observations a camera's height is trusted; it is a mean over twice as many. */
  trustAfter: [5, "count", 3, 10, "experiment"],
  floorBins: [64, "count", 48, 96, "limit"],
  /**
   * No ceiling is lower; the tops of doors and wardrobes lie within two cells above it; and storeys are at least this
   * far apart.
   */
  lowestCeilingM: [2, "m", 1.9, 2.2, "experiment"],
  /** Least points for a ceiling, and how much it must stand out: walls fill all heights equally. */
  ceilingPoints: [400, "count", 200, 800, "experiment"],
  standsOut: [5, "count", 3, 10, "experiment"],
  ceilingBins: [48, "count", 32, 64, "limit"],
  lookAgainEvery: [4_096, "count", 1_024, 16_384, "limit"],
  /** Less directly observed floor than this is a landing or a step, not a storey. */
  storeyM2: [4, "m²", 2, 8, "experiment"],
  /**
   * Within the lowest ceiling's height of a storey with more floor, a level is its staircase, unless it is as large
   * as a room.
   */
  landingM2: [10, "m²", 6, 16, "experiment"],
  /**
   * A submap without frames for this long is put to rest; late packets come sooner. An agent away for longer did not
   * walk there.
   */
  restAfterUs: [30_000_000, "µs", 10_000_000, 120_000_000, "experiment"],
  maxLayers: [64, "count", 16, 256, "limit"],
});

/** A room is drawn to just above the height of the wall and lintel evidence. */
export const ROOM_HEIGHT_M = GRID.headToM + GRID.cellM;

/** Rooms: walls, doors, outlines, types. */
export const ROOMS = settings("map.rooms", {
  /**
   * A badly observed wall is at most twice this thick, holes in it are narrower, and pieces of it lie half as far
   * apart. Something at head height shorter than twice this is a lamp; a thing that moved farther may be behind a
   * wall.
   */
  wallM: [0.4, "m", 0.3, 0.6, "experiment"],
  /** A passage narrower than this share of both rooms' widths separates them… */
  narrowing: [0.75, "share", 0.6, 0.9, "experiment"],
  /** …unless it is wider than any door or arch. */
  widestDoorM: [1.7, "m", 1.3, 2.2, "experiment"],
  /**
   * A door in its frame is this thin and has wall at both ends; a thing's room is found at this distance towards the
   * camera.
   */
  doorM: [0.3, "m", 0.2, 0.5, "experiment"],
  smallestM2: [1.5, "m²", 1, 3, "experiment"],
  /** Least share of wall on a room's border, as opposed to the edge of the known: outdoors there are no rooms. */
  enclosedShare: [0.35, "share", 0.2, 0.5, "experiment"],
  /** Least share of outlines along two directions for a rectilinear building, and their tolerance. */
  squareShare: [0.7, "share", 0.5, 0.9, "experiment"],
  /** How far sides may bend, and how much a squared outline's area may differ from its cells. */
  bendShare: [0.15, "share", 0.08, 0.3, "experiment"],
  /** Shorter sides determine no direction. */
  leastSteps: [10, "cells", 5, 20, "experiment"],
  /** A piece of wall shorter than this, between two parallel ones, is noise. */
  jogM: [0.35, "m", 0.2, 0.6, "experiment"],
  maxCorners: [512, "count", 128, 1_024, "limit"],
  /** Greatest new share of a room that is still the old one. */
  sameShare: [0.3, "share", 0.2, 0.5, "experiment"],
  /** A drawing that changed less than this is not redrawn. */
  redrawShare: [0.03, "share", 0.01, 0.1, "experiment"],
  /** A thing or a place this far outside every room belongs to none. */
  nearM: [0.5, "m", 0.3, 1, "experiment"],
  /** Weight of the room that contains a thing's centre, in observations. */
  ownVotes: [1.5, "votes", 1, 3, "experiment"],
  /** Observations kept per thing, and most things, for deciding the room. */
  maxLooks: [6, "count", 3, 12, "limit"],
  maxStates: [100_000, "count", 10_000, 1_000_000, "limit"],
  /** Long and narrow rooms with many doors are passages. */
  passageAspect: [2.6, "share", 2, 3.5, "experiment"],
  passageWidthM: [2.8, "m", 2, 3.5, "experiment"],
  passageWeight: [2.5, "votes", 1, 5, "experiment"],
  /** Least evidence for a type. A second thing of the same category adds less than the first. */
  enough: [2, "votes", 1, 4, "experiment"],
  repeat: [0.4, "share", 0.2, 0.8, "experiment"],
  maxRepeats: [4, "count", 2, 8, "limit"],
});

/** Places, paths and viewpoints. */
export const WAYS = settings("map.ways", {
  /** Distance between places; twice this for matching a query's position, and for the forest's first clusters. */
  spacingM: [1, "m", 0.5, 2, "paper"],
  /**
   * Radius of a robot, where nothing else is; also the depth in front of a thing that does not hide it (noise, its
   * own surface). A place that a correction moved farther is inserted into the forest again.
   */
  radiusM: [0.2, "m", 0.1, 0.5, "experiment"],
  /** Viewpoints of a thing: rings around it, outwards from the nearest, every second one twice as far. */
  ringM: [0.8, "m", 0.5, 1.2, "experiment"],
  rings: [4, "count", 2, 8, "limit"],
  angles: [24, "count", 12, 48, "limit"],
  maxViews: [8, "count", 4, 16, "limit"],
  /** Default eye height. */
  lookFromM: [1.2, "m", 0.3, 1.8, "experiment"],
  /** Inner sample points of a box, as shares of its half size. */
  inner: [0.6, "share", 0.3, 0.9, "experiment"],
  /** A box flatter than this has a front. */
  flatShare: [0.35, "share", 0.2, 0.5, "experiment"],
  pathScaleM: [10, "m", 5, 20, "experiment"],
  /** The submaps are consolidated each time this many more came to rest: some ten minutes. */
  consolidatePieces: [32, "count", 16, 64, "limit"],
  maxEdges: [64, "count", 32, 128, "limit"],
  maxLinks: [64, "count", 32, 128, "limit"],
  maxLines: [16, "count", 8, 32, "limit"],
});

/** The forest of regions and its summaries (docs/formulas.md#forest). */
export const FOREST = settings("map.forest", {
  fanOut: [12, "count", 6, 24, "paper"],
  /** A summary is stale if a larger share of the leaves or things below was added or removed since. */
  staleShare: [0.2, "share", 0.1, 0.4, "paper"],
  /**
   * With more near neighbours than this each, what lies within this fraction of a cluster's width is merged from the
   * start.
   */
  crowded: [64, "count", 32, 128, "limit"],
  corner: [4, "count", 2, 8, "limit"],
  /** Least similarity of two things at the full distance, if meaning contributes. */
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
