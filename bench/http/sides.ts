import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../harness/documents.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import type { Side } from '../harness/rounds.ts';
import { type Sample, type SideProcess, startSide, type Turn } from '../harness/side-process.ts';
import type { ServiceStack } from '../harness/stack.ts';
import { carboneDialect, translate } from '../sides/dialect.ts';
import { type Floor, startFloor } from '../sides/floor.ts';
import type { Format } from './plan.ts';

/** One turn, with the processor time of the service's parts when it is the service's. */
export interface Turnout extends Sample {
  readonly processorMsPerDocument: ProcessorTime;
}

export interface OpenSides {
  readonly service: SideProcess;
  readonly plain: SideProcess;
  readonly carbone: SideProcess;
  /** The service's own renderer for docx; a bare warm LibreOffice for pdf. */
  readonly bare: SideProcess;
  close(): Promise<void>;
}

/** Brings up all sides for one document; each is a process of its own that idles while it is not its turn. */
export async function openSides(
  stack: ServiceStack,
  tenant: { readonly apiKey: string; readonly templateId: string },
  document: Document,
  format: Format,
  options: { readonly factories: number; readonly folder: string },
): Promise<OpenSides> {
  const { template, data } = document;
  const { factories, folder } = options;
  const path = join(folder, `${document.example}-${document.rows}-carbone.docx`);
  await writeFile(path, translate(template, data, carboneDialect));
  const body = JSON.stringify({ data, output: { format } });
  const call = { url: stack.url, path: `/v1/templates/${tenant.templateId}/generate`, apiKey: tenant.apiKey, body };
  const opened = await Promise.all([
    startSide(new URL('./http-side.ts', import.meta.url), { ...call, magic: format === 'pdf' ? '%PDF-' : 'PK' }),
    startSide(new URL('../sides/plain-side.ts', import.meta.url), { template, data }),
    startSide(new URL('../sides/carbone-side.ts', import.meta.url), { path, data, format, factories, folder }),
    startSide(new URL('../sides/renderer-side.ts', import.meta.url), { template, data, target: format }),
  ]);
  const [service, plain, carbone, renderer] = opened;
  const floor = format === 'pdf' ? await startFloor(join(folder, `floor-${document.rows}`)) : undefined;
  const bare = floor === undefined ? renderer : await floorSide(floor, document, folder);
  return {
    ...{ service, plain, carbone, bare },
    async close() {
      await Promise.all(opened.map((side) => side.close()));
      await floor?.close();
    },
  };
}

/** The service over HTTP with so many callers at a time. */
export function serviceSide(stack: ServiceStack, service: SideProcess, turn: Turn): Side<Turnout> {
  return {
    name: serviceName(turn.lanes),
    async run() {
      const before = readProcessorTime(stack.pids);
      const sample = await service.run(turn);
      const used = perDocument(before, readProcessorTime(stack.pids), sample.documents);
      const load = Math.round((sample.ownProcessorSeconds * 100_000) / sample.documents) / 100;
      return { ...sample, processorMsPerDocument: { ...used, load } };
    },
  };
}

export function serviceName(lanes: number): string {
  return `service, ${lanes} at a time`;
}

export function otherSide(name: string, side: SideProcess, turn: Turn): Side<Turnout> {
  return { name, run: async () => ({ ...(await side.run(turn)), processorMsPerDocument: {} }) };
}

/** The document as the service hands it to LibreOffice, converted in a bare loop. */
async function floorSide(floor: Floor, { template, data, rows }: Document, folder: string): Promise<SideProcess> {
  const { prepareTemplate, renderTemplate } = await import('../../src/worker/docx/render/render-template.ts');
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
    close: () => Promise.resolve(),
  };
}
