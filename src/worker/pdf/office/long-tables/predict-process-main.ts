import { findFonts, predictJoints, UnknownFeature } from '@docmill/layout';
import { openPackage } from '../../../docx/package/open-package.ts';
import { serveRequests } from '../../../supervisor/serve-requests.ts';
import type { PredictAnswer, PredictRequest } from './messages.ts';

serveRequests<PredictRequest, PredictAnswer>('docmill-predict', async ({ docx, table, fontSettings }) => {
  try {
    return { kind: 'predicted', prediction: predictJoints(openPackage(docx), table, findFonts(fontSettings)) };
  } catch (error) {
    if (!(error instanceof UnknownFeature)) throw error;
    return { kind: 'unknown', reason: error.message };
  }
});
