import { required, type WorkerDeps } from '../deps.ts';
import { defaultLocale } from '../docx/language/render-context.ts';
import type { JobRun } from '../job-run.ts';
import type { ConversionWarning } from '../pdf/office/kept-index.ts';
import type { ConvertResult } from '../pdf/office/office-pool.ts';
import { pagesInRange } from '../pdf/office/pages-in-range.ts';
import { replacePages } from '../pdf/replace-pages.ts';
import type { PrintedDocument } from './fill-template.ts';

/** A filled template with fields that depend on its pages. */
interface PagedDocument extends Pick<PrintedDocument, 'accountId' | 'pdfOptions' | 'renderOptions'> {
  readonly docx: Uint8Array;
}

/**
 * Converts a document with fields that depend on its pages, such as IF with PAGE, which LibreOffice does not compute. The
 * first conversion finds out where pages and sections begin. Each different content of headers and footers is then
 * converted once, and its pages are taken from there.
 */
export async function convertWithPages(
  deps: Pick<WorkerDeps, 'docx'>,
  job: Pick<JobRun, 'addWorkMs'>,
  { accountId: account, pdfOptions, renderOptions, docx: filled }: PagedDocument,
  convert: (docx: Uint8Array) => Promise<ConvertResult>,
): Promise<ConvertResult> {
  const first = await convert(filled);
  const range = pdfOptions?.pages;
  const laidOut = first.layout;
  if (range === undefined && first.pages !== laidOut.pages)
    return { ...first, warnings: [...first.warnings, unmatched] };
  const { variants, wrongPages } = await required(deps.docx, 'docx').fillPages({
    account,
    addWorkMs: job.addWorkMs,
    docx: filled,
    laidOut,
    locale: renderOptions?.locale ?? defaultLocale.locale,
  });
  const shown = range === undefined ? undefined : pagesInRange(range, laidOut.pages);
  const used = variants.flatMap(({ docx, pages }) => {
    const wanted = shown === undefined ? pages.map((page) => page - 1) : placesOf(pages, shown);
    return wanted.length === 0 ? [] : [{ docx, wanted }];
  });
  const converted: ConvertResult[] = [];
  for (const { docx } of used) converted.push(await convert(docx));
  const [main, ...others] = converted;
  if (main === undefined) return { ...first, warnings: [...first.warnings, unmatched] };
  const replaced = others.map(({ pdf }, index) => ({ pdf, pages: used[index + 1]?.wanted ?? [] }));
  const pdf = others.length === 0 ? main.pdf : replacePages(main.pdf, replaced);
  const warnings = [...main.warnings];
  if (pdf === undefined) warnings.push(unmatched);
  else if (wrongPages > 0) warnings.push(tooDifferent);
  const convertMs = converted.reduce((sum, one) => sum + one.convertMs, first.convertMs);
  return { ...main, pdf: pdf ?? main.pdf, warnings, convertMs };
}

/** Where pages of the document are among the pages of the PDF, counted from 0. */
function placesOf(pages: readonly number[], shown: readonly number[]): number[] {
  const wanted = new Set(pages);
  return shown.flatMap((page, index) => (wanted.has(page) ? [index] : []));
}

function wrongFields(reason: string): ConversionWarning {
  const message = `Fields that depend on the page, such as IF with PAGE, are not right on all pages: ${reason}.`;
  return { code: 'page_fields', message };
}

const tooDifferent = wrongFields('their results differ on too many pages');
const unmatched = wrongFields('the pages of the PDF cannot be matched with those of the document');
