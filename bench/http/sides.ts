import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { carboneDialect, translate } from '../contenders/dialect.ts';
import type { EngineName } from '../contenders/engines.ts';
import { type Floor, startFloor } from '../contenders/floor.ts';
import { renderPlain } from '../contenders/plain.ts';
import { wordsOf } from '../contenders/text-of.ts';
import type { Document } from '../harness/documents.ts';
import { type SideProcess, startSide } from '../harness/side-process.ts';
import type { ServiceStack } from '../harness/stack.ts';
import type { Format } from './plan.ts';

export interface Tenant {
  readonly apiKey: string;
  readonly templateId: string;
}

export interface OpenSides {
  readonly service: SideProcess;
  readonly carbone: SideProcess;
  /** The service's own renderer for docx; a warm LibreOffice and nothing else for pdf. */
  readonly bare: SideProcess;
  /** docxtemplater and pizzip on one thread; for docx alone. */
  readonly plain: SideProcess | undefined;
  close(): Promise<void>;
}

/** Brings up all sides for one document; each is a process of its own that idles while it is not its turn. */
export async function openSides(
  stack: ServiceStack,
  tenant: Tenant,
  document: Document,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<OpenSides> {
  const service = await openService(stack, tenant, document, format);
  const others = format === 'docx' ? await openDocx(document, options.folder) : await openPdf(document, options);
  return {
    ...others,
    service,
    async close() {
      for (const side of [service, others.carbone, others.bare, others.plain]) await side?.close();
    },
  };
}

function openService(
  stack: ServiceStack,
  { apiKey, templateId }: Tenant,
  { template, data }: Document,
  format: Format,
): Promise<SideProcess> {
  const isDocx = format === 'docx';
  return startSide(new URL('./http-side.ts', import.meta.url), {
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
  const open = (engine: EngineName): Promise<SideProcess> =>
    startSide(new URL('../contenders/engine-side.ts', import.meta.url), { engine, example, rows, folder, words });
  return {
    carbone: await open('carbone'),
    bare: await open('own, warm'),
    plain: await open('docxtemplater + pizzip'),
  };
}

async function openPdf(document: Document, options: { readonly factories: number; readonly folder: string }) {
  const { template, data, example, rows } = document;
  const path = join(options.folder, `${example}-${rows}-carbone.docx`);
  await writeFile(path, translate(template, data, carboneDialect));
  const carbone = await startSide(new URL('../contenders/carbone-pdf-side.ts', import.meta.url), {
    path,
    data,
    ...options,
  });
  const floor = await startFloor(join(options.folder, `floor-${rows}`));
  return { carbone, bare: await floorSide(floor, document, options.folder), plain: undefined };
}

/** The document as the service hands it to LibreOffice, converted in a bare loop. */
async function floorSide(floor: Floor, { template, data, rows }: Document, folder: string): Promise<SideProcess> {
  const { prepareTemplate, renderTemplate } = await import('../../src/worker/docx/render-template.ts');
  const filled = renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data)));
  const path = join(folder, `filled-${rows}.docx`);
  await writeFile(path, filled.file);
  return {
    async run({ forMs, atLeast }) {
      const latenciesMs: number[] = [];
      const startedAt = performance.now();
      while (latenciesMs.length < atLeast || performance.now() - startedAt < forMs) {
        latenciesMs.push(...(await floor.convert(path, 1)));
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const documents = latenciesMs.length;
      return { documents, seconds, perSecond: documents / seconds, latenciesMs, ownProcessorSeconds: 0, sizeBytes: 0 };
    },
    close: () => floor.close(),
  };
}
