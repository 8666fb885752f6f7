import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDirectConverter } from '@docmill/layout';
import { chromium } from 'playwright-core';
import { openPackage } from '../../src/worker/docx/package/open-package.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { fontSettings } from '../../src/worker/pdf/office/font-settings.ts';
import { galleryParts } from '../gallery/gallery.ts';
import { findBrowser } from '../local/find-browser.ts';

const examples = new URL('../../examples/gallery/', import.meta.url).pathname;
/** The longer side, in pixels: twice the size on a card. */
const size = 480;
const quality = 80;

/** Draws the first page of each template of the gallery, filled with its data. `folder` holds temporary files. */
export async function drawGallery(folder: string): Promise<void> {
  const settings = join(folder, 'gallery-fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  const converter = await openDirectConverter(settings);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    for (const path of galleryParts().keys()) {
      const place = join(examples, path, '..');
      const template = prepareTemplate(await readFile(join(examples, path)), 'pdf');
      const { file } = renderTemplate(template, await readFile(join(place, 'data.json')));
      const drawn = join(folder, 'gallery-page');
      await writeFile(`${drawn}.pdf`, converter.convert(openPackage(file)).pdf);
      await promisify(execFile)('pdftoppm', ['-singlefile', '-png', '-scale-to', String(size), `${drawn}.pdf`, drawn]);
      const png = await readFile(`${drawn}.png`);
      await page.setViewportSize({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });
      await page.setContent(
        `<body style="margin:0"><img src="data:image/png;base64,${png.toString('base64')}"></body>`,
      );
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      await writeFile(join(place, 'page.webp'), Buffer.from(data, 'base64'));
    }
  } finally {
    await browser.close();
  }
}
