import { settings } from "../../schema/settings.ts";

/** Rooms and places, and what they are called. */
export const PLACES = settings("belief.places", {
  /** A building with at most this many rooms is a house: questions about all rooms are answered room by room. */
  houseRooms: [64, "count", 32, 128, "experiment"],
  /**
   * The most rooms that are read at once and cached, including replaced ones; beyond that only those that a question is
   * about.
   */
  mostRooms: [2_000, "count", 1_000, 4_000, "limit"],
  mostFloors: [200, "count", 100, 400, "limit"],
  mostNamed: [100, "count", 50, 200, "limit"],
  /** The room of a point is searched among this many rooms with the nearest middles. */
  nearRooms: [24, "count", 12, 48, "limit"],
  /** A rug measured a little below its floor still lies on it. */
  underFloorM: [0.15, "m", 0.075, 0.3, "experiment"],
  /** No room is higher; a thing this high above a floor is on the next one. */
  roomM: [3.5, "m", 1.75, 7, "experiment"],
  /**
   * A door or window of an outer wall is at most this far outside of its room's outline: a wall, and the placing
   * error.
   */
  wallM: [0.5, "m", 0.25, 1, "experiment"],
  nextStoreyM: [2.7, "m", 1.35, 5.4, "experiment"],
  offFloorM: [1.2, "m", 0.6, 2.4, "experiment"],
  /** An unknown person is no flatter than this. */
  flatM: [0.45, "m", 0.225, 0.9, "experiment"],
  /** Floors closer together than this are landings and mistakes, not storeys. */
  storeyM: [1.5, "m", 0.75, 3, "experiment"],
  /** No real room is less than this far above the floor below it; a landing of stairs is mistaken for one. */
  landingM: [0.4, "m", 0.2, 0.8, "experiment"],
  /**
   * Captions overrule the room type given by the furniture from this many on, and by this share of those that name a
   * type.
   */
  captions: [5, "count", 2, 10, "experiment"],
  captionShare: [0.6, "share", 0.3, 0.8, "experiment"],
  /** A room without any other name needs fewer. */
  fewCaptions: [2, "count", 1, 4, "experiment"],
  /** The height above its floor at which an observer of a room may be, and below it by errors of the map. */
  standingM: [2.5, "m", 1.25, 5, "experiment"],
  belowM: [0.5, "m", 0.25, 1, "experiment"],
  /** The most named places within rooms that are read. */
  mostSpots: [500, "count", 250, 1_000, "limit"],
  /** "The dock" is the charging dock where nothing else is one. */
  lastWords: [0.9, "share", 0.75, 0.95, "experiment"],
  /** A position in front of a dock or a gate is about this near to it. */
  beforeM: [1.5, "m", 0.75, 3, "experiment"],
  corners: [12, "count", 6, 24, "limit"],
  /** A thing that is higher than this is on the next storey. */
  heightM: [2.5, "m", 1.25, 5, "experiment"],
  /** A row becomes an area of its own from this length and width on: two racks and an aisle. */
  leastSideM: [2, "m", 1, 4, "experiment"],
  /** A row that fills more than this share of a room is that room; otherwise it lies in the room. */
  fills: [0.5, "share", 0.25, 1, "experiment"],
  /** A sign hangs over the entrance of its room, at most this far outside of it. */
  besideM: [1, "m", 0.5, 2, "experiment"],
  /** Samples along a side, to estimate how much of one outline lies in another. */
  samples: [12, "count", 6, 24, "limit"],
});
