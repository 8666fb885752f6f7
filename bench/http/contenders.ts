import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BareLibreOffice, startBareLibreOffice } from '../contenders/bare-libreoffice.ts';
import { renderPlain } from '../contenders/docxtemplater.ts';
import type { EngineName } from '../contenders/engines.ts';
import { carboneDialect, translate } from '../contenders/translate.ts';
import { type ContenderProcess, startContender } from '../harness/contender-process.ts';
import { type Document, wordsOf } from '../harness/documents.ts';
import type { ServiceStack } from '../harness/stack.ts';
import type { Format } from './plan.ts';

export interface Tenant {
  readonly apiKey: string;
  readonly templateId: string;
}

export interface OpenContenders {
  readonly service: ContenderProcess;
  readonly carbone: ContenderProcess;
  /** For docx, the service's renderer in a loop; for PDF, one warm LibreOffice without supervision. */
  readonly bare: ContenderProcess;
  /** docxtemplater and pizzip on one thread; only for docx. */
  readonly plain: ContenderProcess | undefined;
  close(): Promise<void>;
}

/** Starts all contenders for one document, each in a separate process that idles between its runs. */
export async function openContenders(
  stack: ServiceStack,
  tenant: Tenant,
  document: Document,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<OpenContenders> {
  const service = await openService(stack, tenant, document, format);
  const others = format === 'docx' ? await openDocx(document, options.folder) : await openPdf(document, options);
  return {
    ...others,
    service,
    async close() {
      for (const contender of [service, others.carbone, others.bare, others.plain]) await contender?.close();
    },
  };
}

/** The service over HTTP; the first .docx must contain the same words as docxtemplater's. */
export function openService(
  stack: ServiceStack,
  { apiKey, templateId }: Tenant,
  { template, data }: Document,
  format: Format,
): Promise<ContenderProcess> {
  const isDocx = format === 'docx';
  return startContender(new URL('./http-process.ts', import.meta.url), {
    url: stack.url,
    path: `/v1/templates/${templateId}/generate`,
    apiKey,
    body: JSON.stringify({ data, output: { format } }),
    magic: isDocx ? 'PK' : '%PDF-',
    words: isDocx ? wordsOf(renderPlain(template, data)) : undefined,
  });
}

async function openDocx({ example, rows, template, data }: Document, folder: string) {
  const words = wordsOf(renderPlain(template, data));
  const open = (engine: EngineName): Promise<ContenderProcess> => {
    const module = new URL('../contenders/engine-process.ts', import.meta.url);
    return startContender(module, { engine, example, rows, folder, words });
  };
  return {
    carbone: await open('carbone'),
    bare: await open('own, warm'),
    plain: await open('docxtemplater + pizzip'),
  };
}

interface PdfOptions {
  readonly factories: number;
  readonly folder: string;
}

async function openPdf(document: Document, options: PdfOptions) {
  const carbone = await openCarbonePdf(document, options);
  const bare = await startBareLibreOffice(join(options.folder, `bare-${document.rows}`));
  return { carbone, bare: await bareContender(bare, document, options.folder), plain: undefined };
}

/** The npm package carbone in its own process, without HTTP. */
export async function openCarbonePdf({ template, data, example, rows }: Document, options: PdfOptions) {
  const path = join(options.folder, `${example}-${rows}-carbone.docx`);
  await writeFile(path, translate(template, data, carboneDialect));
  return startContender(new URL('../contenders/carbone-pdf-process.ts', import.meta.url), { path, data, ...options });
}

/** Converts the same .docx that the service passes to LibreOffice. */
async function bareContender(
  bare: BareLibreOffice,
  { template, data, rows }: Document,
  folder: string,
): Promise<ContenderProcess> {
  const { prepareTemplate, renderTemplate } = await import('../../src/worker/docx/render-template.ts');
  const filled = renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data)));
  const path = join(folder, `filled-${rows}.docx`);
  await writeFile(path, filled.file);
  return {
    async run({ forMs, minDocuments }) {
      const latenciesMs: number[] = [];
      const startedAt = performance.now();
      while (latenciesMs.length < minDocuments || performance.now() - startedAt < forMs) {
        latenciesMs.push(...(await bare.convert(path, 1)));
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const documents = latenciesMs.length;
      return { documents, seconds, perSecond: documents / seconds, latenciesMs, ownProcessorSeconds: 0, sizeBytes: 0 };
    },
    close: () => bare.close(),
  };
}
