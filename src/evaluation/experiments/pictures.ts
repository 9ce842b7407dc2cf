import type { MemoryReader } from "../../memory/index.ts";
import type { SceneMemory } from "../runner/suite.ts";
import type { AnswerLine } from "./experiment.ts";

/** To keep the report's file small, this many wrong answers have pictures, two each. */
const ANSWERS = 60;
const EACH = 2;
const VIEWS = 4_000;

/** Adds pictures of the things in wrong answers' evidence. */
export async function withPictures(
  answers: readonly AnswerLine[],
  open: (scene: string) => Promise<SceneMemory>,
): Promise<AnswerLine[]> {
  // The last configuration is usually the complete one: its mistakes come first.
  const wrong = answers.filter(({ right, refs }) => !right && refs.length > 0);
  const lastFirst = wrong.toSorted((a, b) => (a.config < b.config ? 1 : a.config > b.config ? -1 : 0));
  const shown = new Set(lastFirst.slice(0, ANSWERS));
  const pictures = new Map<AnswerLine, readonly string[]>();
  for (const [scene, some] of Map.groupBy(shown, (answer) => answer.scene)) {
    const memory = await open(scene);
    try {
      const viewOf = await viewsByState(memory.reader);
      for (const answer of some) {
        const thumbs = [...new Set(answer.refs.flatMap((ref) => viewOf.get(ref) ?? []))].slice(0, EACH);
        const found = await Promise.all(thumbs.map((thumb) => dataUrl(memory.reader, thumb)));
        pictures.set(
          answer,
          found.filter((url) => url !== undefined),
        );
      }
    } finally {
      await memory.close();
    }
  }
  return answers.map((answer) => {
    const own = pictures.get(answer) ?? [];
    return own.length === 0 ? answer : { ...answer, pictures: own };
  });
}

/** The newest kept view of each state, by its picture. */
async function viewsByState(reader: MemoryReader): Promise<ReadonlyMap<string, string>> {
  const { hits } = await reader.search({ kinds: ["view"], rank: "earliest", limit: VIEWS });
  return new Map(
    hits.flatMap(({ record }) =>
      record.kind === "view" ? record.visible.map(({ stateId }) => [stateId, record.thumb] as const) : [],
    ),
  );
}

async function dataUrl(reader: MemoryReader, ref: string): Promise<string | undefined> {
  const bytes = await reader.blob(ref);
  if (!bytes) return undefined;
  const type = bytes[0] === 0x89 ? "png" : bytes[0] === 0xff ? "jpeg" : "webp";
  return `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
