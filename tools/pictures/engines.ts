import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDirectConverter } from '@docmill/layout';
import { PNG } from 'pngjs';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';

export const enginePictures = ['invoice', 'letter'] as const;

const examples = new URL('../../examples/', import.meta.url).pathname;
const dpi = 64;
const gap = 12;
const grey = 0xd0;

/**
 * An example's first page as a PNG, laid out by LibreOffice on the left and directly on the right. `folder` holds
 * temporary files.
 */
export async function drawEngines(
  example: (typeof enginePictures)[number],
  office: OfficePool,
  folder: string,
): Promise<Uint8Array> {
  const template = prepareTemplate(await readFile(join(examples, `${example}.docx`)), 'pdf');
  const { file: docx } = renderTemplate(template, await readFile(join(examples, `${example}.json`)));
  const settings = join(folder, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  const converter = await openDirectConverter(settings);
  const theirs = await drawPage((await office.convert({ docx })).pdf, join(folder, `${example}-office`));
  const ours = await drawPage(converter.convert(openPackage(docx)).pdf, join(folder, `${example}-direct`));
  return PNG.sync.write(sideBySide(theirs, ours), { colorType: 2, filterType: 0, deflateStrategy: 0 });
}

async function drawPage(pdf: Uint8Array, path: string): Promise<PNG> {
  await writeFile(`${path}.pdf`, pdf);
  await promisify(execFile)('pdftoppm', ['-singlefile', '-png', '-r', String(dpi), `${path}.pdf`, path]);
  return PNG.sync.read(await readFile(`${path}.png`));
}

function sideBySide(left: PNG, right: PNG): PNG {
  const height = Math.max(left.height, right.height);
  const both = new PNG({ width: left.width + gap + right.width, height });
  both.data.fill(grey);
  PNG.bitblt(left, both, 0, 0, left.width, left.height, 0, 0);
  PNG.bitblt(right, both, 0, 0, right.width, right.height, left.width + gap, 0);
  return both;
}
