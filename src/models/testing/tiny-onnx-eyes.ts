import {
  FLOAT,
  field,
  INT64,
  int,
  ints,
  node,
  shape,
  tensor,
  VOCABULARY,
  value,
  writeJson,
  writeModel,
} from "./onnx-graph.ts";

/** Detectors look at four quarters of a square of this side. */
const DETECTOR_SIDE = 8;
/** Segmenters see squares of this side, pixel by pixel. */
export const SEGMENTER_SIDE = 16;
/** How far around a point the three cuts of a segmenter reach, in its pixels. */
const RADII = [1.5, 5, 12];

/**
 * An open detector with weights set by hand: a quarter of the picture is detected for every word that begins with r,
 * g or b if it has that colour, with a score of .98, and for no other word.
 */
export async function writeTinyDetector(
  folder: string,
  type: "owlvit" | "owlv2" | "grounding-dino",
): Promise<void> {
  const isGrounding = type === "grounding-dino";
  const words = isGrounding ? ["batch", "tokens"] : ["words", "tokens"];
  const graph = [
    node("AveragePool", ["pixel_values"], "pooled", [ints("kernel_shape", [4, 4]), ints("strides", [4, 4])]),
    node("Reshape", ["pooled", "quarters"], "planes"),
    node("Transpose", ["planes"], "colours", [ints("perm", [0, 2, 1])]),
    node("Gather", ["table", "input_ids"], "rows"),
    // Grounding DINO scores every token of its one text, the others every one of their texts.
    ...(isGrounding
      ? [node("Transpose", ["rows"], "columns", [ints("perm", [0, 2, 1])])]
      : [
          node("ReduceMax", ["rows"], "texts", [ints("axes", [1]), int("keepdims", 0)]),
          node("Transpose", ["texts"], "columns", [ints("perm", [1, 0])]),
        ]),
    node("MatMul", ["colours", "columns"], "likeness"),
    node("Mul", ["likeness", "eight"], "scaled"),
    node("Sub", ["scaled", "four"], "logits"),
    node("Identity", ["boxes"], "pred_boxes"),
    tensor("table", [VOCABULARY.length, 3], (i) => ("rgb"[i % 3] === VOCABULARY[Math.floor(i / 3)] ? 1 : 0)),
    tensor("eight", [1], () => 8),
    tensor("four", [1], () => 4),
    // Centre and size of each quarter, as shares.
    tensor("boxes", [1, 4, 4], (i) => {
      const [quarter, part] = [i >> 2, i % 4];
      if (part >= 2) return 0.5;
      return 0.25 + 0.5 * (part === 0 ? quarter % 2 : quarter >> 1);
    }),
    shape("quarters", [1, 3, 4]),
    ...["input_ids", "attention_mask"].map((name) => field(11, value(name, INT64, words))),
    field(11, value("pixel_values", FLOAT, [1, 3, DETECTOR_SIDE, DETECTOR_SIDE])),
    field(12, value("logits", FLOAT, [1, 4, "scores"])),
    field(12, value("pred_boxes", FLOAT, [1, 4, 4])),
  ];
  await writeModel(folder, { model_type: type }, { model: graph });
  const kind = { owlvit: "OwlViT", owlv2: "Owlv2", "grounding-dino": "GroundingDino" }[type];
  await writeJson(folder, "preprocessor_config.json", {
    processor_class: `${isGrounding ? "GroundingDino" : "OwlViT"}Processor`,
    image_processor_type: `${kind}ImageProcessor`,
    do_resize: true,
    size: { height: DETECTOR_SIDE, width: DETECTOR_SIDE },
    ...NORMALISED,
  });
}

/**
 * A segmenter with weights set by hand: three masks of the bright pixels around the point, or around the box's
 * centre, each reaching farther than the one before. The first SAM takes points, the second boxes.
 */
export async function writeTinySegmenter(folder: string, type: "sam" | "sam2"): Promise<void> {
  const side = SEGMENTER_SIDE;
  const embeddings = type === "sam" ? "image_embeddings" : "image_embeddings.0";
  const positions = type === "sam" ? ["image_positional_embeddings"] : [];
  const brightness = (name: string) => value(name, FLOAT, [1, 1, side, side]);
  const encoder = [
    node("ReduceMean", ["pixel_values"], embeddings, [ints("axes", [1]), int("keepdims", 1)]),
    ...positions.map((name) => node("Identity", [embeddings], name)),
    field(11, value("pixel_values", FLOAT, [1, 3, side, side])),
    ...[embeddings, ...positions].map((name) => field(12, brightness(name))),
  ];
  const prompt =
    type === "sam"
      ? [
          node("Reshape", ["input_points", "list"], "points"),
          shape("list", [1, -1, 2]),
          field(11, value("input_points", FLOAT, [1, "boxes", "points", 2])),
          field(11, value("input_labels", INT64, [1, "boxes", "points"])),
        ]
      : [
          node("MatMul", ["input_boxes", "halves"], "points"),
          tensor("halves", [4, 2], (i) => ((i >> 1) % 2 === i % 2 ? 0.5 : 0)),
          field(11, value("input_boxes", FLOAT, [1, "boxes", 4])),
        ];
  const squares = (["x", "y"] as const).flatMap((axis, n) => [
    node("MatMul", ["points", `only_${axis}`], `${axis}s`),
    node("Reshape", [`${axis}s`, "column"], `${axis}_column`),
    node("Sub", [`${axis}_column`, `grid_${axis}`], `${axis}_off`),
    node("Mul", [`${axis}_off`, `${axis}_off`], `${axis}_squared`),
    tensor(`only_${axis}`, [2, 1], (i) => (i === n ? 1 : 0)),
    tensor(`grid_${axis}`, [1, 1, 1, side * side], (i) => 0.5 + (n === 0 ? i % side : Math.floor(i / side))),
  ]);
  const decoder = [
    ...prompt,
    ...squares,
    node("Add", ["x_squared", "y_squared"], "squared"),
    node("Sub", ["radii", "squared"], "discs"),
    node("Reshape", [embeddings, "flat"], "bright"),
    node("Min", ["discs", "bright"], "cuts"),
    node("Reshape", ["cuts", "images"], "pred_masks"),
    node("ReduceMax", ["cuts"], "iou_scores", [ints("axes", [3]), int("keepdims", 0)]),
    tensor("radii", [1, 1, 3, 1], (i) => RADII[i]! ** 2),
    shape("column", [1, -1, 1, 1]),
    shape("flat", [1, 1, 1, side * side]),
    shape("images", [1, -1, 3, side, side]),
    ...[embeddings, ...positions].map((name) => field(11, brightness(name))),
    field(12, value("iou_scores", FLOAT, [1, "boxes", 3])),
    field(12, value("pred_masks", FLOAT, [1, "boxes", 3, side, side])),
  ];
  await writeModel(
    folder,
    { model_type: type, vision_config: { num_feature_levels: 1 } },
    { vision_encoder: encoder, prompt_encoder_mask_decoder: decoder },
  );
  await writeJson(folder, "preprocessor_config.json", {
    processor_class: type === "sam" ? "SamProcessor" : "Sam2Processor",
    image_processor_type: type === "sam" ? "SamImageProcessor" : "Sam2ImageProcessor",
    do_resize: true,
    size: { longest_edge: side },
    do_pad: true,
    pad_size: { height: side, width: side },
    ...NORMALISED,
  });
}

const NORMALISED = {
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
};
