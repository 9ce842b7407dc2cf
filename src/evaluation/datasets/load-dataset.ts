import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LociError } from "../../schema/index.ts";
import type { Dataset } from "./dataset.ts";
import { loadEmbodiedRag } from "./embodied-rag.ts";
import { loadErqa } from "./erqa.ts";
import { loadExpressBench } from "./express-bench.ts";
import { loadGoals } from "./goals.ts";
import { loadGoat } from "./goat.ts";
import { loadHmEqa, loadMtHm3d } from "./hm-eqa.ts";
import { loadHomerPlus } from "./homer-plus.ts";
import { loadLaEqa } from "./la-eqa.ts";
import { loadMine } from "./mine.ts";
import { loadNavqa } from "./navqa.ts";
import { loadOcNavqa } from "./oc-navqa.ts";
import { loadActiveEqa, loadOpenEqa } from "./open-eqa.ts";
import { loadPictureQuestions } from "./picture-questions.ts";
import { fetchLine } from "./sources.ts";
import { loadSqa3dInWords, loadSqa3dPosed } from "./sqa3d.ts";
import { loadVlm4d } from "./vlm4d.ts";
import { loadVsiBench } from "./vsi-bench.ts";

const LOADERS: Readonly<Record<string, (folder: string) => Dataset>> = {
  "open-eqa": loadOpenEqa,
  "a-eqa": loadActiveEqa,
  navqa: loadNavqa,
  "oc-navqa": loadOcNavqa,
  "vsi-bench": loadVsiBench,
  "homer-plus": loadHomerPlus,
  goals: loadGoals,
  goat: (folder) => loadGoat(folder, "first"),
  "goat-second": (folder) => loadGoat(folder, "second"),
  pictures: loadPictureQuestions,
  erqa: loadErqa,
  vlm4d: loadVlm4d,
  sqa3d: loadSqa3dInWords,
  "sqa3d-posed": loadSqa3dPosed,
  "hm-eqa": loadHmEqa,
  "mt-hm3d": loadMtHm3d,
  "express-bench": loadExpressBench,
  "la-eqa": loadLaEqa,
  "embodied-rag": loadEmbodiedRag,
  mine: loadMine,
};

/** The datasets there are adapters for. */
export const DATASETS = Object.keys(LOADERS);

/** Reads a dataset from its folder or a file in it; a wrong name, folder or file is reported in one clear line. */
export function loadDataset(name: string, path: string): Dataset {
  const load = LOADERS[name];
  if (load === undefined)
    throw new LociError("invalid-input", `there is no dataset "${name}"; there are ${DATASETS.join(", ")}`);
  if (!existsSync(path))
    throw new LociError("invalid-input", `${name}: there is no file or folder ${path}${fetchLine(name)}`);
  return load(statSync(path).isDirectory() ? path : dirname(path));
}
