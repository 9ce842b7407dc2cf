/**
 * Where everything is in the one shared memory. The kernels (AssemblyScript) and their TypeScript wrapper read
 * this same file, so neither can drift from the other. Addresses are bytes; a change of any of them is a new
 * IMAGE_FORMAT. Constants carry no type annotation because both compilers must accept them.
 */
export const IMAGE_FORMAT = 2;

/** Rows and meanings live in segments of this many, allocated once and never moved. */
export const SEGMENT_LOG = 12;
export const SEGMENT = 4096;

// The control block.
export const H_MAGIC = 0;
export const H_FORMAT = 4;
export const H_WRITER = 16;
export const H_ALLOC_LOCK = 20;
export const H_MAX_PAGES = 24;
export const H_SCRATCH = 28;
export const H_SCRATCH_TOP = 32;
export const H_SCRATCH_END = 36;
export const H_TOP = 64;
export const H_ARENA = 72;
export const H_ARENA_END = 76;
export const H_CACHE_BASE = 80;
export const H_CACHE_BYTES = 84;
export const H_ROWS = 88;
export const H_LIVE = 92;
export const H_PLACED = 96;
export const H_TERMS = 100;
export const H_LABEL_SETS = 104;
/** Bytes that the body and the exact vectors together should not exceed. */
export const H_BUDGET = 108;
export const H_FREE_LISTS = 128;
/** Open-addressing tables of {pointer, log2 of the capacity, used}. */
export const T_ROW = 256;
export const T_ID = 272;
export const T_TERM = 288;
export const T_TEXT = 304;
export const T_IMAGE = 320;
/** Grids of {pointer, log2 of the capacity, cells, rows, largest half extent}. */
export const G_FINE = 384;
export const G_COARSE = 448;
export const G_MEDIUM = 512;
export const G_LOG = 4;
export const G_CELLS = 8;
export const G_ROWS = 12;
export const G_HALF = 16;
export const G_SIZE = 24;
export const H_LARGE = 576;
/** Bounds of all centres ever inserted: six doubles. */
export const H_BOUNDS = 640;
/** Time classes of {directory, log2 of its capacity, blocks, entries, longest duration}. */
export const H_TIME = 704;
export const TIME_CLASSES = 6;
export const TIME_CLASS_BYTES = 32;
/**
 * Vector spaces of {dimension, stride, count, live, and of the exact vectors: directory, ordinals it has entries for,
 * owners of places, places, how many there are and are used, which one the writer takes next}.
 */
export const S_TEXT = 896;
export const S_IMAGE = 960;
export const S_DIM = 0;
export const S_STRIDE = 4;
export const S_COUNT = 8;
export const S_LIVE = 12;
export const S_CACHE = 20;
export const S_CACHE_ROWS = 24;
export const S_OWNERS = 28;
export const S_VECTORS = 32;
export const S_PLACES = 36;
export const S_USED = 40;
export const S_HAND = 44;

/** Heads of the lists of free scratch blocks, by log2 of their size. */
export const H_SCRATCH_FREE = 1088;

/** One entry a thread: {owner, state, scratch pointers and sizes}. */
export const READERS = 2048;
export const READER_SLOTS = 32;
export const READER_BYTES = 128;
export const R_OWNER = 0;
export const R_STATE = 4;
export const R_SCRATCH = 8;

export const LABEL_DIR = 8192;
export const ROW_DIR = 16384;
export const TEXT_DIR = 49152;
export const IMAGE_DIR = 81920;
export const TERM_DIR = 114688;
export const OWNER_DIR = 131072;
export const HEADER_BYTES = 196608;
export const MAX_SEGMENTS = 8192;

// Columns of a row segment, as offsets in units of SEGMENT bytes.
export const C_EXTERNAL = 0;
export const C_FROM = 32768;
export const C_TO = 65536;
export const C_MIN_X = 98304;
export const C_MIN_Y = 131072;
export const C_MIN_Z = 163840;
export const C_MAX_X = 196608;
export const C_MAX_Y = 229376;
export const C_MAX_Z = 262144;
export const C_X = 294912;
export const C_Y = 327680;
export const C_Z = 360448;
export const C_ID = 393216;
export const C_SCENE = 409600;
export const C_AUTHOR = 425984;
export const C_CATEGORY = 442368;
export const C_OWNER = 458752;
export const C_SUBMAP = 475136;
export const C_LINES = 491520;
export const C_IMAGE = 507904;
export const C_LENGTH = 524288;
export const C_OWNER_NEXT = 540672;
export const C_LABELS = 557056;
export const C_KIND = 565248;
export const C_FLAGS = 569344;
export const ROW_SEGMENT_BYTES = 573440;

export const FLAG_LIVE = 1;
export const FLAG_PLACE = 2;

// Columns of a meaning segment come after its vectors (SEGMENT × stride bytes).
export const M_SCALE = 0;
export const M_RESIDUAL = 16384;
export const M_SUM = 32768;
export const M_REFS = 49152;
export const M_ROWS = 65536;
export const M_KEY = 81920;
export const MEANING_COLUMN_BYTES = 114688;

// A row as the writer passes it.
export const IN_EXTERNAL = 0;
export const IN_FROM = 8;
export const IN_TO = 16;
export const IN_BOX = 24;
export const IN_CENTRE = 72;
export const IN_SCENE = 96;
export const IN_AUTHOR = 100;
export const IN_CATEGORY = 104;
export const IN_OWNER = 108;
export const IN_SUBMAP = 112;
export const IN_LABELS = 116;
export const IN_KIND = 120;
export const IN_PLACE = 124;
export const IN_ID_LENGTH = 128;
export const IN_TEXTS = 132;
export const IN_IMAGE = 136;
export const IN_LENGTH = 144;
export const IN_ID = 160;
export const IN_LISTS = 224;

// A query as a reader passes it.
export const Q_FLAGS = 0;
export const Q_KINDS = 4;
export const Q_LABELS = 8;
export const Q_SCENE = 16;
export const Q_AUTHOR = 24;
export const Q_CATEGORY = 32;
export const Q_OWNER = 40;
export const Q_FROM_MIN = 48;
export const Q_FROM_END = 56;
export const Q_TO_AFTER = 64;
export const Q_TO_MAX = 72;
export const Q_BOX = 80;
export const Q_POINT = 128;
export const Q_RADIUS = 152;
export const Q_BITMAP = 160;
export const Q_TEXT = 192;
export const Q_IMAGE = 256;
/** The query's times as cell entries have them: four vectors, and whether the narrower two can be trusted. */
export const Q_LIMITS = 320;
export const Q_SURE = 384;
/** How many rows the coarse cells of the query's box hold, once the box was estimated. */
export const Q_HELD = 392;
/** A query vector: {quantised, float32, scale, bounds…}. */
export const V_QUANTISED = 0;
export const V_FLOAT = 4;
export const V_SCALE = 8;
export const V_NORM = 16;
export const V_SLACK = 24;
export const V_OFFSET = 32;

export const QF_KIND = 1;
export const QF_LABELS = 2;
export const QF_SCENE = 4;
export const QF_AUTHOR = 8;
export const QF_CATEGORY = 16;
export const QF_OWNER = 32;
export const QF_TIME = 64;
export const QF_PLACE = 128;
export const QF_BOX = 256;
export const QF_CENTRE_BOX = 512;
export const QF_RADIUS_BOX = 1024;
export const QF_RADIUS_CENTRE = 2048;
export const QF_TEXT = 4096;
export const QF_IMAGE = 8192;
export const QF_BITMAP = 16384;
