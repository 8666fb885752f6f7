import { serveRequests } from '../../supervisor/serve-requests.ts';
import { comparePdfs } from './compare-pdfs.ts';
import type { CompareRequest } from './comparer.ts';
import { measurePdfs } from './measure-pdfs.ts';
import { type Pdfium, startPdfium } from './pdfium.ts';

let started: Promise<Pdfium> | undefined;

serveRequests<CompareRequest, object>('docmill-compare', async ({ before, after, measure }) => {
  started ??= startPdfium();
  if (measure === undefined) return comparePdfs(await started, before, after);
  const { measures, pictures } = measurePdfs(await started, before, after, measure);
  return { measures, ...pictures };
});
