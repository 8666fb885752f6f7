import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDirectConverter } from '@docmill/layout';
import { createLogger } from '../../src/shared/logger.ts';
import { convertWithPages } from '../../src/worker/documents/convert-with-pages.ts';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { createDocxPool } from '../../src/worker/docx/sandbox/docx-pool.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';

const run = promisify(execFile);
const timeoutMs = 240_000;
const logger = createLogger('silent', 'bench');

/** Converts a document to PDF. Throws if that is not possible. */
export type Convert = (docx: Buffer, name: string) => Promise<Uint8Array>;

export interface Contenders {
  readonly convert: Readonly<Record<string, Convert>>;
  readonly close: () => Promise<void>;
}

/**
 * LibreOffice alone, direct layout of the prepared document, and the service, for which the file is a template without
 * tags.
 */
export async function openContenders(documents: ReadonlyMap<string, Buffer>, folder: string): Promise<Contenders> {
  const alone = await convertAlone(documents, folder);
  const settings = join(folder, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  const direct = await openDirectConverter(settings);
  const office = await startOfficePool({
    slots: 1,
    convertTimeoutMs: timeoutMs,
    startTimeoutMs: timeoutMs,
    recycleAfter: 200,
    memoryLimitBytes: 2 * 1024 ** 3,
    tempDir: join(folder, 'pools'),
    logger,
  });
  const limits = {
    renderTimeoutMs: timeoutMs,
    inspectTimeoutMs: timeoutMs,
    heapMb: 512,
    templateCacheBytes: 1_000_000,
  };
  const docx = createDocxPool({ processes: 1, ...limits, logger });
  const convert = {
    LibreOffice: (_bytes: Buffer, name: string) => readFile(join(alone, `${name}.pdf`)),
    'direct layout': async (bytes: Buffer) => direct.convert(openPackage(prepare(bytes).file)).pdf,
    service: async (bytes: Buffer) => {
      const { file, hasPageFields } = prepare(bytes);
      const ofOffice = (one: Uint8Array) => office.convert({ docx: one, filename: 'input.pdf' });
      if (!hasPageFields) return (await ofOffice(file)).pdf;
      const document = { accountId: 'bench', pdfOptions: undefined, renderOptions: undefined, docx: file };
      return (await convertWithPages({ docx }, {}, document, ofOffice)).pdf;
    },
  };
  return { convert, close: async () => void (await Promise.all([office.close(), docx.close()])) };
}

const prepare = (bytes: Buffer) =>
  renderTemplate(prepareTemplate(bytes, 'pdf', { isLiteral: true }), Buffer.from('{}'), { fileName: 'input.docx' });

/** Converts all documents in one process of LibreOffice with its own settings; returns the folder of the PDFs. */
async function convertAlone(documents: ReadonlyMap<string, Buffer>, folder: string): Promise<string> {
  const alone = join(folder, 'alone');
  await mkdir(alone, { recursive: true });
  const files = Array.from(documents.keys(), (name) => join(alone, `${name}.docx`));
  for (const [name, bytes] of documents) await writeFile(join(alone, `${name}.docx`), bytes);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', alone, ...files]);
  return alone;
}
