import { serveRequests } from '../../supervisor/serve-requests.ts';
import { type DirectConverter, openDirectConverter } from '../direct/convert-directly.ts';
import { UnknownFeature } from '../direct/unknown-feature.ts';
import type { DirectAnswer, DirectRequest } from './messages.ts';

/** Keeps fonts and shaped words for the documents that follow; all of a pool have the same settings. */
let opened: Promise<DirectConverter> | undefined;

serveRequests<DirectRequest, DirectAnswer>('docmill-direct', async ({ fontSettings, docx }) => {
  opened ??= openDirectConverter(fontSettings);
  const converter = await opened;
  try {
    return { kind: 'made', ...converter.convert(docx) };
  } catch (error) {
    if (error instanceof UnknownFeature) return { kind: 'unknown', reason: error.message };
    throw error;
  }
});
