import { findFonts, type LongTable, predictJoints, UnknownFeature } from '@docmill/layout';
import { openPackage } from '../../../docx/package/open-package.ts';
import { readPdfRequest } from '../../read-pdf-request.ts';

interface Request {
  readonly table: LongTable;
  readonly fontSettings: string;
}

const { request, pdf: docx } = await readPdfRequest<Request>('docmill-predict');
try {
  process.stdout.write(
    JSON.stringify(predictJoints(openPackage(docx), request.table, findFonts(request.fontSettings))),
  );
} catch (error) {
  if (!(error instanceof UnknownFeature)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 3;
}
