import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../../src/shared/logger.ts';
import { createDocxPool } from '../../src/worker/docx/sandbox/docx-pool.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { drawEngines, enginePictures } from './engines.ts';
import { type Feature, features } from './features.ts';
import { drawGallery } from './gallery.ts';
import { drawMenus } from './menus.ts';
import { pageFiles } from './page.ts';
import { scriptsPage } from './scripts.ts';

/**
 * Draws the pictures for docs/reference/template-language.md (each feature's template and its result),
 * docs/guides/fonts.md (the page `scripts`), docs/guides/direct-pdfs.md (`engines`: examples from both engines),
 * docs/guides/first-invoice.md (`menus`), and the first pages of the templates in examples/gallery (`gallery`).
 */
const pictures = new URL('../../docs/reference/pictures/language/', import.meta.url).pathname;
const guidePictures = new URL('../../docs/guides/pictures/', import.meta.url).pathname;
/** Names given on the command line. Without any, all pictures are drawn. */
const wanted = new Set(process.argv.slice(2));
const logger = createLogger('warn', 'pictures');
const folder = await mkdtemp(join(tmpdir(), 'docmill-pictures-'));
const docx = createDocxPool({
  processes: 1,
  renderTimeoutMs: 20_000,
  inspectTimeoutMs: 20_000,
  heapMb: 512,
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
  await mkdir(guidePictures, { recursive: true });
  const isWanted = (name: string) => wanted.size === 0 || wanted.has(name);
  for (const feature of features) if (isWanted(feature.name)) await show(feature);
  if (isWanted('scripts')) await draw(await scriptsPage(), 'scripts', guidePictures);
  if (isWanted('gallery')) await drawGallery(folder);
  if (isWanted('menus')) {
    await mkdir(join(guidePictures, 'word'), { recursive: true });
    for (const [name, svg] of drawMenus()) await writeFile(join(guidePictures, 'word', `${name}.svg`), svg);
  }
  if (isWanted('engines')) {
    for (const example of enginePictures)
      await writeFile(join(guidePictures, `engines-${example}.png`), await drawEngines(example, office, folder));
  }
} finally {
  await Promise.all([docx.close(), office.close()]);
  await rm(folder, { recursive: true, force: true });
}

async function show(feature: Feature): Promise<void> {
  const { name, data, locale, onMissing } = feature;
  const { template, includes } = await pageFiles(feature);
  const { docx: result } = await docx.render({
    templateKey: name,
    template,
    loadIncludes: () => Promise.resolve(includes),
    data: Buffer.from(JSON.stringify(data)),
    target: onMissing === 'highlight' ? 'docx' : 'pdf',
    options: { locale, onMissing },
  });
  await draw(template, `${name}-template`);
  await draw(result, `${name}-result`);
}

async function draw(file: Uint8Array, name: string, target = pictures): Promise<void> {
  const { pdf } = await office.convert({ docx: file });
  const path = join(folder, `${name}.pdf`);
  await writeFile(path, pdf);
  await promisify(execFile)('pdftoppm', ['-singlefile', '-png', '-r', '110', path, join(target, name)]);
}
