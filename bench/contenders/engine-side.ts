import { documentOf, type ExampleName } from '../harness/documents.ts';
import { type OpenSide, serveSide } from '../harness/serve-side.ts';
import { type EngineName, openEngine } from './engines.ts';
import { wordsOf } from './text-of.ts';

export interface EngineSetup {
  readonly engine: EngineName;
  readonly example: ExampleName;
  readonly rows: number;
  readonly folder: string;
  /** What the document must say; a side that says something else is not compared. */
  readonly words: string;
}

serveSide<EngineSetup>(async ({ engine, example, rows, folder, words }): Promise<OpenSide> => {
  const render = await openEngine(engine, documentOf(example, rows), folder);
  if (wordsOf(Buffer.from(await render())) !== words) throw new Error(`${engine} made another document`);
  return {
    make() {
      const made = render();
      return made instanceof Promise ? made.then((file) => file.length) : made.length;
    },
  };
});
