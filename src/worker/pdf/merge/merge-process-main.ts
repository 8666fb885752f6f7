import { PDF } from '@libpdf/core';
import { serveRequests } from '../../supervisor/serve-requests.ts';
import { CannotMerge, copyDocument } from './copy-document.ts';
import type { MergeAnswer, MergeInput, MergeRequest } from './messages.ts';
import { TooDeep } from './pdf-text.ts';
import { VolumeWriter } from './volume-writer.ts';

let written: Buffer[] = [];
const volume = new VolumeWriter((bytes) => written.push(bytes));
const shared = new Map<string, number>();
volume.begin();

serveRequests<MergeRequest, MergeAnswer>('docmill-merge', async (request) => {
  if (request.kind === 'end') {
    volume.end(request.title);
    return takeWritten();
  }
  const reason = await whyNotAdded(request);
  return reason === undefined ? takeWritten() : { kind: 'refused', reason };
});

function takeWritten(): MergeAnswer {
  const bytes = Buffer.concat(written);
  written = [];
  return { kind: 'written', bytes };
}

async function whyNotAdded({ title, bytes }: MergeInput): Promise<string | undefined> {
  try {
    copyDocument(volume, await PDF.load(bytes), title, shared);
    return undefined;
  } catch (error) {
    const isKnown = error instanceof CannotMerge || error instanceof TooDeep;
    return isKnown ? error.message : `it cannot be read (${String(error)})`;
  }
}
