import { readPdfRequest } from '../read-pdf-request.ts';
import { comparePdfs } from './compare-pdfs.ts';
import { startPdfium } from './pdfium.ts';

const { request, pdf } = await readPdfRequest<{ readonly firstBytes: number }>('docmill-compare');
const comparison = comparePdfs(
  await startPdfium(),
  pdf.subarray(0, request.firstBytes),
  pdf.subarray(request.firstBytes),
);
process.stdout.write(JSON.stringify(comparison));
