/**
 * The required content of each dataset's folder, and its source, reported when it is missing. Nothing of it is
 * shipped; where frames need a licence, available scenes are asked about and the others left out.
 */
const SOURCES: Readonly<Record<string, string>> = {
  "open-eqa":
    "open-eqa-v0.json of facebookresearch/open-eqa; frames of an episode (ScanNet, HM3D: licences) in scenes/EPISODE, in any form that ingest reads",
  "a-eqa":
    "aeqa_questions-184.json and gt_path_length.json (afdsafg/agenticmem); what a robot recorded on its way to an answer in scenes/QUESTION_ID, or a tour of the scene in scenes/EPISODE (HM3D: licence)",
  navqa:
    "a folder a drive with segments.json and questions.json, as princeton-prism/RAVEN has them (CODa: CC BY-NC-SA)",
  "oc-navqa":
    "NaVQA's folders (see navqa), oc-navqa_data.csv of MIT-SPARK/DAAAM, and from CODa in each drive's folder dense_global.txt (poses/dense_global/SEQ.txt), timestamps.txt (timestamps/SEQ.txt) and 3d_bbox/ (3d_bbox/os1/SEQ)",
  "vsi-bench": "scannet.json or scannetpp.json of vision-x-nyu/thinking-in-space, data/meta_info",
  "homer-plus": "a household's days, 000.json and so on, or a folder of households, of Maithili/HOMER_PLUS",
  goals: "goals.json in the format of src/evaluation/datasets/README.md",
  goat: "objects.json: GOAT-Bench's goal objects by scene (Ram81/goat-bench)",
  "goat-second": "objects.json: GOAT-Bench's goal objects by scene (Ram81/goat-bench)",
  pictures: "pictures.json in the format of src/evaluation/datasets/README.md, with its pictures",
  erqa: "erqa.tfrecord of embodiedreasoning/ERQA, data/",
  vlm4d:
    "QA/real_mc.json or QA/synthetic_mc.json of huggingface.co/datasets/shijiezhou/VLM4D, and the frames of each video as pictures in frames/, a folder a video under the video's own path: ffmpeg -i videos_real/X.mp4 -r 2 frames/videos_real/X/%04d.jpg",
  sqa3d:
    "sqa3d/questions.json and annotations.json of SilongYong/SQA3D, and vsi-bench-meta/scannet.json (see vsi-bench)",
  "sqa3d-posed": "as for sqa3d",
  "hm-eqa":
    "questions.csv of Stanford-ILIAD/explore-eqa, data/; a tour of each scene (HM3D: licence, matterport.com/habitat-matterport-3d-research-dataset) in scenes/SCENE_FLOOR, in any form that ingest reads",
  "mt-hm3d":
    "MT-HM3D.csv of huggingface.co/datasets/zmling/MT-HM3D; a tour of each scene (HM3D: licence) in scenes/SCENE_FLOOR, in any form that ingest reads",
  "express-bench":
    "express-bench.json of HCPLab-SYSU/EXPRESS-Bench, data/; a tour of each scene (HM3D: licence), or what a robot recorded on its way, in scenes/SCENE_ID, in any form that ingest reads",
  "la-eqa":
    "eqa-questions.json of mind-palace-laeqa/benchmark; the episodes of a scene, one after the other (HM3D: licence), in scenes/SCENE_NAME, in any form that ingest reads",
  "embodied-rag":
    "graph.gml, reference-forest.gml and queries.txt: a place of quanting-xie/Embodied-RAG with the authors' forest of it",
  mine: "questions.jsonl beside a recording or beside memory/, as eval make-questions writes it",
};

/** Where to get what is missing, as the end of a message. */
export function fetchLine(dataset: string): string {
  const source = SOURCES[dataset];
  return source === undefined ? "" : `; it takes ${source}`;
}
