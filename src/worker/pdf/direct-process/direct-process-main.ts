import { serveRequests } from '../../supervisor/serve-requests.ts';
import { type DirectConverter, openDirectConverter } from '../direct/convert-directly.ts';
import { inspectDocument } from '../direct/document/inspect-document.ts';
import { UnknownFeature } from '../direct/unknown-feature.ts';
import type { DirectAnswer, DirectRequest } from './messages.ts';

/** Keeps fonts and shaped words for the following documents. All documents of a pool have the same settings. */
let opened: Promise<DirectConverter> | undefined;

serveRequests<DirectRequest, DirectAnswer>('docmill-direct', async ({ fontSettings, docx, inspects }) => {
  opened ??= openDirectConverter(fontSettings);
  const converter = await opened;
  try {
    return { kind: 'made', ...converter.convert(docx) };
  } catch (error) {
    if (!(error instanceof UnknownFeature)) throw error;
    const reasons = inspects ? inspectDocument(docx) : [];
    return { kind: 'unknown', reasons: reasons.length === 0 ? [error.message] : reasons };
  }
});
