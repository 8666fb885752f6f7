import { documentOf, type ExampleName, wordsOf } from '../harness/documents.ts';
import { type OpenContender, serveContender } from '../harness/serve-contender.ts';
import { type EngineName, openEngine } from './engines.ts';

export interface EngineSetup {
  readonly engine: EngineName;
  readonly example: ExampleName;
  readonly rows: number;
  readonly folder: string;
  /** The words that the document must contain. An engine that produces other words is excluded. */
  readonly words: string;
}

serveContender<EngineSetup>(async ({ engine, example, rows, folder, words }): Promise<OpenContender> => {
  const render = await openEngine(engine, documentOf(example, rows), folder);
  if (wordsOf(Buffer.from(await render())) !== words) throw new Error(`${engine} produced a different document`);
  return {
    produce() {
      const file = render();
      return file instanceof Promise ? file.then(({ length }) => length) : file.length;
    },
  };
});
