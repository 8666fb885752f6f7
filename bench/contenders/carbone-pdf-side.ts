import { serveSide } from '../harness/serve-side.ts';
import { openCarbone } from './carbone.ts';

export interface CarbonePdfSetup {
  /** A file in carbone's language. */
  readonly path: string;
  readonly data: unknown;
  readonly factories: number;
  readonly folder: string;
}

serveSide<CarbonePdfSetup>(async ({ path, data, factories, folder }) => {
  const engine = await openCarbone('pdf', factories, folder);
  return {
    async make() {
      const file = await engine.render(path, data);
      if (file.toString('latin1', 0, 5) !== '%PDF-') throw new Error('carbone made no PDF');
      return file.length;
    },
    close: () => engine.close(),
  };
});
