import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export interface PageFile {
  readonly type: string;
  readonly content: Uint8Array;
}

const script = 'text/javascript; charset=utf-8';
const ownFile = (name: string) => readFile(new URL(`assets/${name}`, import.meta.url));

/** The files of the page, by path. The build bundles the sources in `page` into one script. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const worker = createRequire(import.meta.url).resolve('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: await ownFile('index.html') }],
    ['/page.css', { type: 'text/css; charset=utf-8', content: await ownFile('page.css') }],
    ['/icon.svg', { type: 'image/svg+xml', content: await ownFile('icon.svg') }],
    ['/page.js', { type: script, content: await readFile(new URL('page.js', import.meta.url)) }],
    ['/pdf-worker.js', { type: script, content: await readFile(worker) }],
  ]);
}
