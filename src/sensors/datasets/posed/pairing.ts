import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A picture, and the depth and small files with the same name. */
export interface Paired {
  /** Its name without folder, extension and words for its kind: a number or a timestamp. */
  readonly key: string;
  /** Its file name without the extension, as lists may give it. */
  readonly stem: string;
  readonly colour: string;
  readonly depth?: string | undefined;
  /** Other files with this name, by extension: ".txt", ".mat", ".pose.txt". */
  readonly beside: ReadonlyMap<string, string>;
}

const PICTURE = /\.(png|jpe?g|webp|tiff?)$/i;
const DEPTH = /\.(png|exr|tiff?)$/i;
/** Words in a file or folder name that say what it holds. */
const IS_DEPTH = /depth/i;
const IS_OTHER = /mask|label|segm|semantic|instance|normal|confidence|conf\b|thumb/i;
const WORDS = /(rgb|colou?r|images?|img|depth|frames?|left|cam|pose|mm)/gi;
/** Small files lie beside the pictures or in folders of their own. */
const SMALL_FOLDERS = /^(poses?|cameras?|cams?|extrinsics?|camera_poses?|meta(data)?)$/i;
/** A depth timestamp this close to a picture's, in microseconds, is of the same moment. */
const SAME_MOMENT_US = 40_000;

/** The pictures in a folder or one of its subfolders, each with the files of the same name. */
export async function pairedFiles(folder: string, names: readonly string[]): Promise<Paired[]> {
  const here = await listed(folder, names, 0);
  const colours = here.filter(
    ({ name, where }) => PICTURE.test(name) && !isDepth(where, name) && !isOther(where, name),
  );
  const best = mostIn(colours);
  const depths = here.filter(
    ({ name, where }) => DEPTH.test(name) && isDepth(where, name) && !isOther("", name),
  );
  const depthOf = byKey(mostIn(depths));
  const small = Map.groupBy(
    here.filter(
      ({ name, where }) =>
        !PICTURE.test(name) && (where === best[0]?.where || SMALL_FOLDERS.test(where) || where === ""),
    ),
    ({ name }) => keyOf(name),
  );
  const sorted = best.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  return sorted.map(({ name, path }) => {
    const key = keyOf(name);
    return {
      key,
      stem: name.replace(PICTURE, ""),
      colour: path,
      depth: depthOf(key),
      beside: new Map((small.get(key) ?? []).map((file) => [endingOf(file.name), file.path])),
    };
  });
}

interface Listed {
  /** The subfolder of the recording; "" is the recording's own folder. */
  readonly where: string;
  readonly name: string;
  readonly path: string;
}

const MOST_FOLDERS = 16;

async function listed(
  folder: string,
  names: readonly string[],
  depth: number,
  where = "",
): Promise<Listed[]> {
  const files: Listed[] = [];
  let folders = 0;
  for (const name of names) {
    const path = join(folder, name);
    if (name.includes(".")) files.push({ where, name, path });
    else if (depth < 1 && ++folders <= MOST_FOLDERS)
      files.push(...(await listed(path, await readdir(path).catch(() => []), depth + 1, name)));
  }
  return files;
}

function isDepth(where: string, name: string): boolean {
  return IS_DEPTH.test(where) || IS_DEPTH.test(name);
}

function isOther(where: string, name: string): boolean {
  return IS_OTHER.test(where) || IS_OTHER.test(name);
}

/** The files of the folder with the most of them: many recordings have an extra image or two. */
function mostIn(files: readonly Listed[]): Listed[] {
  const folders = [...Map.groupBy(files, ({ where }) => where).values()];
  return folders.sort((a, b) => b.length - a.length)[0] ?? [];
}

/** The file with the same key; if keys are timestamps of two cameras, the nearest. */
function byKey(files: readonly Listed[]): (key: string) => string | undefined {
  const exact = new Map(files.map(({ name, path }) => [keyOf(name), path]));
  const stamps = files
    .flatMap(({ name, path }) => {
      const us = stampUs(keyOf(name));
      return us === undefined ? [] : [{ us, path }];
    })
    .sort((a, b) => a.us - b.us);
  return (key) => {
    const found = exact.get(key);
    const us = found === undefined && stamps.length > 0 ? stampUs(key) : undefined;
    if (us === undefined) return found;
    const nearest = stamps.reduce((best, one) =>
      Math.abs(one.us - us) < Math.abs(best.us - us) ? one : best,
    );
    return Math.abs(nearest.us - us) <= SAME_MOMENT_US ? nearest.path : undefined;
  };
}

function stampUs(key: string): number | undefined {
  return /^\d{10}\.\d+$/.test(key) ? Number(key) * 1e6 : undefined;
}

/** "000012-rgb.png", "depth_12.png" and "frame-12.pose.txt" all belong to picture 12. */
function keyOf(name: string): string {
  const stem = name.slice(0, name.length - endingOf(name).length);
  const bare = stem.replace(WORDS, "").replace(/^[-_.\s]+|[-_.\s]+$/g, "");
  return /^\d+$/.test(bare) ? String(Number(bare)) : bare;
}

/** The extension from the last dot, or from the one before if a word lies between: ".pose.txt". */
function endingOf(name: string): string {
  return /(\.[a-z_]+)?\.\w+$/i.exec(name)?.[0].toLowerCase() ?? "";
}
