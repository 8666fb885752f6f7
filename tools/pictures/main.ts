import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../../src/shared/logger.ts';
import { createDocxPool } from '../../src/worker/docx/sandbox/docx-pool.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { type Feature, features } from './features.ts';
import { page } from './page.ts';

/** Draws the pictures of docs/reference/template-language.md: the template of each feature and its result. */
const pictures = new URL('../../docs/reference/pictures/language/', import.meta.url).pathname;
/** Names given on the command line; all features without any. */
const wanted = new Set(process.argv.slice(2));
const logger = createLogger('warn', 'pictures');
const folder = await mkdtemp(join(tmpdir(), 'docmill-pictures-'));
const docx = createDocxPool({
  processes: 1,
  renderTimeoutMs: 20_000,
  inspectTimeoutMs: 20_000,
  heapMb: 512,
  maxQueue: 100,
  templateCacheBytes: 1024 * 1024,
  logger,
});
const office = await startOfficePool({
  slots: 1,
  tempDir: join(folder, 'office'),
  convertTimeoutMs: 60_000,
  startTimeoutMs: 60_000,
  recycleAfter: 1_000,
  memoryLimitBytes: 4 * 1024 ** 3,
  logger,
});
try {
  await mkdir(pictures, { recursive: true });
  for (const feature of features) if (wanted.size === 0 || wanted.has(feature.name)) await show(feature);
} finally {
  await Promise.all([docx.close(), office.close()]);
  await rm(folder, { recursive: true, force: true });
}

async function show({ name, heightMm, template: blocks, data, locale, onMissing }: Feature): Promise<void> {
  const template = await page(heightMm, blocks);
  const { docx: result } = await docx.render({
    templateKey: name,
    template,
    data: Buffer.from(JSON.stringify(data)),
    target: onMissing === 'highlight' ? 'docx' : 'pdf',
    options: { locale, onMissing },
  });
  await draw(template, `${name}-template`);
  await draw(result, `${name}-result`);
}

async function draw(file: Uint8Array, name: string): Promise<void> {
  const { pdf } = await office.convert({ docx: file });
  const path = join(folder, `${name}.pdf`);
  await writeFile(path, pdf);
  await promisify(execFile)('pdftoppm', ['-singlefile', '-png', '-r', '110', path, join(pictures, name)]);
}
