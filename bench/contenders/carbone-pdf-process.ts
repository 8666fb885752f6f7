import { serveContender } from '../harness/serve-contender.ts';
import { openCarbone } from './carbone.ts';

export interface CarbonePdfSetup {
  /** The path of a template in carbone's language. */
  readonly path: string;
  readonly data: unknown;
  readonly factories: number;
  readonly folder: string;
}

serveContender<CarbonePdfSetup>(async ({ path, data, factories, folder }) => {
  const engine = await openCarbone('pdf', factories, folder);
  return { produce: async () => (await engine.render(path, data)).length, close: () => engine.close() };
});
