import { serveRequests } from '../../supervisor/serve-requests.ts';
import { comparePdfs } from './compare-pdfs.ts';
import type { CompareRequest } from './comparer.ts';
import type { Comparison } from './comparison.ts';
import { type Pdfium, startPdfium } from './pdfium.ts';

let started: Promise<Pdfium> | undefined;

serveRequests<CompareRequest, Comparison>('docmill-compare', async ({ before, after }) => {
  started ??= startPdfium();
  return comparePdfs(await started, before, after);
});
