import { type DirectConverter, inspectDocument, openDirectConverter, UnknownFeature } from '@docmill/layout';
import { openPackage } from '../../docx/package/open-package.ts';
import { serveRequests } from '../../supervisor/serve-requests.ts';
import { type DirectAnswer, type DirectRequest, mostReasons } from './messages.ts';

/** Keeps fonts and shaped words for the following documents. All documents of a pool have the same settings. */
let opened: Promise<DirectConverter> | undefined;

serveRequests<DirectRequest, DirectAnswer>('docmill-direct', async ({ fontSettings, docx, standards, inspects }) => {
  opened ??= openDirectConverter(fontSettings);
  const converter = await opened;
  const source = openPackage(docx);
  try {
    return { kind: 'made', ...converter.convert(source, { standards }) };
  } catch (error) {
    if (!(error instanceof UnknownFeature)) throw error;
    const reasons = inspects ? inspectDocument(source, mostReasons) : [];
    return { kind: 'unknown', reasons: reasons.length === 0 ? [error.message] : reasons };
  }
});
