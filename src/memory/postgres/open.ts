import { PostgresEngine } from "./engine.ts";
import { PostgresServer } from "./server.ts";
import { isPostgresUrl, parsePostgresUrl } from "./url.ts";

export { isPostgresUrl };

/** Opens the scene that a URL names, making it if it may. */
export async function openPostgres(
  url: string,
  options: { readonly create?: boolean; readonly nowUs?: () => number } = {},
): Promise<PostgresEngine> {
  const place = parsePostgresUrl(url);
  const database = await PostgresServer.open(place);
  try {
    const { scene, schema, resident } = place;
    return await PostgresEngine.open({ ...options, database, scene, schema, resident });
  } catch (error) {
    await database.close();
    throw error;
  }
}
