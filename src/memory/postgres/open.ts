import { openBlobs } from "../blobs/open.ts";
import { PostgresEngine } from "./engine.ts";
import { PostgresServer } from "./server.ts";
import { parsePostgresUrl } from "./url.ts";

/** Opens the scene that a URL names, making it if it may. */
export async function openPostgres(
  url: string,
  {
    environment = process.env,
    ...options
  }: {
    readonly create?: boolean;
    readonly nowUs?: () => number;
    readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  } = {},
): Promise<PostgresEngine> {
  const place = parsePostgresUrl(url);
  const blobs = place.blobs === undefined ? undefined : await openBlobs(place.blobs, environment);
  const database = await PostgresServer.open(place);
  try {
    const { scene, schema, resident } = place;
    return await PostgresEngine.open({
      ...options,
      database,
      scene,
      schema,
      resident,
      ...(blobs && { blobs }),
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
