import { once } from 'node:events';
import { PDF } from '@libpdf/core';
import { CannotMerge, copyDocument } from './copy-document.ts';
import { type MergeInput, type MergeRefusal, readFrames, refusedExitCode } from './frames.ts';
import { TooDeep } from './pdf-text.ts';
import { VolumeWriter } from './volume-writer.ts';

process.title = 'docmill-merge';
// The parent ends this process. A signal to the whole group must not interrupt a merge.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.stdout.on('error', () => process.exit(1));

const [, , title = ''] = process.argv;
const volume = new VolumeWriter(async (bytes) => {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
});
const shared = new Map<string, number>();

await volume.begin();
for await (const input of readFrames(process.stdin)) await add(input);
await volume.end(title);

async function add({ row, title: bookmark, bytes }: MergeInput): Promise<void> {
  try {
    await copyDocument(volume, await PDF.load(bytes), bookmark, shared);
  } catch (error) {
    const isKnown = error instanceof CannotMerge || error instanceof TooDeep;
    const refusal: MergeRefusal = { row, reason: isKnown ? error.message : `it cannot be read (${String(error)})` };
    process.stderr.write(JSON.stringify(refusal), () => process.exit(refusedExitCode));
    await new Promise(() => undefined);
  }
}
