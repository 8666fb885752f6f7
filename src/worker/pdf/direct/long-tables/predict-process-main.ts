import { readPdfRequest } from '../../read-pdf-request.ts';
import { findFonts } from '../fonts/find-faces.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type LongTable, predictJoints } from './predict-joints.ts';

interface Request {
  readonly table: LongTable;
  readonly fontSettings: string;
}

const { request, pdf: docx } = await readPdfRequest<Request>('docmill-predict');
try {
  process.stdout.write(JSON.stringify(predictJoints(docx, request.table, findFonts(request.fontSettings))));
} catch (error) {
  if (!(error instanceof UnknownFeature)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 3;
}
