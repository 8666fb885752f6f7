import { serveRequests } from '../../../supervisor/serve-requests.ts';
import { findFonts } from '../fonts/find-faces.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { PredictAnswer, PredictRequest } from './messages.ts';
import { predictJoints } from './predict-joints.ts';

serveRequests<PredictRequest, PredictAnswer>('docmill-predict', async ({ docx, table, fontSettings }) => {
  try {
    return { kind: 'predicted', prediction: predictJoints(docx, table, findFonts(fontSettings)) };
  } catch (error) {
    if (!(error instanceof UnknownFeature)) throw error;
    return { kind: 'unknown', reason: error.message };
  }
});
