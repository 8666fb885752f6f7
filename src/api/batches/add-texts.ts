import { AppError } from '../../shared/errors.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import type { RowCollection } from './collect-rows.ts';
import type { RowTextMaker } from './row-texts.ts';

/**
 * Makes the rows' texts from their stored data: of a JSON body that says its `output` after its `items`, they could not be
 * made while the rows passed by.
 */
export async function addTexts(
  objects: ObjectStore,
  inputKey: string,
  { drafts, keep }: RowCollection,
  texts: RowTextMaker,
): Promise<void> {
  if (texts.isFixed) {
    const same = texts.make({});
    for (const draft of drafts) {
      draft.texts = same;
      keep(same);
    }
    return;
  }
  const stored = await objects.getStream(inputKey);
  if (stored === undefined) throw new AppError('unavailable', 'The batch could not be read back. Send it again.');
  const read = createReader(stored);
  for (const draft of drafts) {
    if (draft.dataBytes === 0) continue;
    const line = await read(draft.dataBytes + 1);
    draft.texts = texts.make(JSON.parse(line.toString('utf8')));
    keep(draft.texts);
  }
}

/** Answers the next so many bytes of a stream. */
function createReader(stream: AsyncIterable<Buffer>): (sizeBytes: number) => Promise<Buffer> {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (sizeBytes) => {
    const pieces: Buffer[] = [rest];
    let have = rest.length;
    while (have < sizeBytes) {
      const next = await chunks.next();
      if (next.done === true) throw new Error('the stored rows are shorter than they were');
      pieces.push(next.value);
      have += next.value.length;
    }
    const all = pieces.length === 1 ? rest : Buffer.concat(pieces);
    rest = all.subarray(sizeBytes);
    return all.subarray(0, sizeBytes);
  };
}
