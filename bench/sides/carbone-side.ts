import { serveSide } from '../harness/serve-side.ts';
import { openCarbone } from './carbone.ts';

export interface CarboneSetup {
  /** A file in carbone's language. */
  readonly path: string;
  readonly data: unknown;
  readonly format: 'docx' | 'pdf';
  readonly factories: number;
  readonly folder: string;
}

serveSide<CarboneSetup>(async ({ path, data, format, factories, folder }) => {
  const engine = await openCarbone(format, factories, folder);
  const magic = format === 'pdf' ? '%PDF-' : 'PK';
  return {
    async make() {
      const file = await engine.render(path, data);
      if (file.toString('latin1', 0, magic.length) !== magic) throw new Error('carbone made no document');
      return file.length;
    },
    close: () => engine.close(),
  };
});
