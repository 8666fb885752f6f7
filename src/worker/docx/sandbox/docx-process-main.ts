import { AppError, toErrorRecord } from '../../../shared/errors.ts';
import { serveRequests } from '../../supervisor/serve-requests.ts';
import { IncludesNeeded } from '../core/inclusion.ts';
import { isSvgEngineBroken, loadSvgEngine, SvgEngineNeeded } from '../core/pictures/svg-engine.ts';
import { setDrawingFaces } from '../core/pictures/svg-fonts.ts';
import { AssetsNeeded } from '../core/render/assets.ts';
import { pageVariants } from '../fields/page-variants.ts';
import { PrintableCharacters } from '../glyphs/printable-characters.ts';
import { inspectFont, isFontEngineSpent } from '../inspect/fonts/inspect-font.ts';
import { inspectPicture } from '../inspect/inspect-picture.ts';
import { type InspectionOptions, inspectTemplate } from '../inspect/inspect-template.ts';
import { renderTemplate } from '../render-template.ts';
import { PreparedTemplates } from './prepared-templates.ts';
import type { ProcessAnswer, ProcessJob, ProcessSettings } from './protocol.ts';
import { renderProcessTitle } from './render-process-title.ts';

type RenderJob = Extract<ProcessJob, { kind: 'render' }>;

let printable: PrintableCharacters | undefined;

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
const cache = new PreparedTemplates(settings.templateCacheBytes);
serveRequests<ProcessJob, ProcessAnswer>(renderProcessTitle, run);

async function run(job: ProcessJob): Promise<ProcessAnswer> {
  try {
    switch (job.kind) {
      case 'inspect':
        if (job.invoiceMap !== undefined) {
          const { checkMapping } = await import('../../einvoice/make-document-invoice.ts');
          checkMapping(job.invoiceMap);
        }
        return { kind: 'report', report: inspectTemplate(job.bytes, { ...job, ...fontsOf(job) }) };
      case 'picture':
        return { kind: 'picture', picture: inspectPicture(Buffer.from(job.bytes)) };
      case 'font': {
        const { report, file } = await inspectFont(Buffer.from(job.bytes));
        return { kind: 'font', report, file, isSpent: isFontEngineSpent() };
      }
      case 'invoice': {
        // Loaded on first use, because the rules take memory that most processes never need.
        const { inspectInvoice } = await import('../../einvoice/inspect-invoice.ts');
        return { kind: 'invoice', ...(await inspectInvoice(Buffer.from(job.bytes))) };
      }
      case 'make-invoice': {
        const { makeDocumentInvoice } = await import('../../einvoice/make-document-invoice.ts');
        const { sourceKind, bytes, mapping = '', ...order } = job;
        const source = sourceKind === 'mapping' ? { kind: sourceKind, bytes, mapping } : { kind: sourceKind, bytes };
        return { kind: 'made-invoice', ...makeDocumentInvoice({ ...order, source }) };
      }
      case 'compare-invoice': {
        const { comparePages } = await import('../../einvoice/pages/compare-pages.ts');
        return { kind: 'compared-invoice', ...(await comparePages(job)) };
      }
      case 'pages': {
        const { variants, wrongPages } = pageVariants(job.bytes, job.laidOut, job.locale);
        const files = new Map(variants.map(({ docx }, index) => [String(index), docx]));
        return { kind: 'variants', files, pages: variants.map(({ pages }) => pages), wrongPages };
      }
      case 'render':
        return render(job);
    }
  } catch (error) {
    if (error instanceof SvgEngineNeeded) {
      await loadSvgEngine();
      return run(job);
    }
    if (error instanceof IncludesNeeded) return { kind: 'needs-includes', templates: error.templates };
    if (!(error instanceof AppError)) throw error;
    return {
      kind: 'refused',
      error: toErrorRecord(error),
      cache: job.kind === 'render' ? cache.changeFor(job.cacheKey) : undefined,
      isSpent: isSvgEngineBroken() || isFontEngineSpent(),
    };
  }
}

/** Remembers the last ranges received, for jobs sent without any. */
function fontsOf({ fonts, accountFonts }: Pick<RenderJob, 'fonts' | 'accountFonts'>): InspectionOptions {
  if (fonts?.ranges !== undefined) {
    printable = new PrintableCharacters(fonts.key, fonts.ranges);
    setDrawingFaces(fonts.faces ?? []);
  }
  return { printable: fonts === undefined ? undefined : printable, accountFonts };
}

function render({
  cacheKey,
  template: bytes,
  data,
  target,
  options,
  assets,
  fonts,
  accountFonts,
  includes,
  accountWords,
}: RenderJob): ProcessAnswer {
  const startMs = performance.now();
  const { isLiteral, syntax } = options ?? {};
  const template = cache.get(cacheKey, bytes, target, { isLiteral, syntax, includes, accountWords });
  try {
    const { file, ...filled } = renderTemplate(template, data, options, {
      assets,
      ...fontsOf({ fonts, accountFonts }),
    });
    const renderMs = performance.now() - startMs;
    return { kind: 'document', docx: file, ...filled, renderMs, cache: cache.changeFor(cacheKey) };
  } catch (error) {
    if (!(error instanceof AssetsNeeded)) throw error;
    const renderMs = performance.now() - startMs;
    return { kind: 'needs', assets: error.names, renderMs, cache: cache.changeFor(cacheKey) };
  }
}
