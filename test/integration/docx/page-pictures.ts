import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The pixels of a PDF page, with three bytes each, or one byte on a grey page. */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

export async function drawPages(pdf: Uint8Array, dpi: number, ...options: readonly string[]): Promise<Page[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-pages-'));
  try {
    const path = join(folder, 'document.pdf');
    await writeFile(path, pdf);
    await promisify(execFile)('pdftoppm', ['-r', `${dpi}`, ...options, path, join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => /\.p[gp]m$/.test(name)).sort();
    return await Promise.all(names.map(async (name) => readPixels(await readFile(join(folder, name)))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readPixels(file: Buffer): Page {
  const [head = '', width, height] = /^P[56]\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64)) ?? [];
  return { width: Number(width), height: Number(height), pixels: file.subarray(head.length) };
}
