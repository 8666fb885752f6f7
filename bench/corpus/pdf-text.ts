import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBytes = 64 * 1024 * 1024;

/** Extracts the text of a PDF in reading order with pdftotext. */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-text-'));
  try {
    const path = join(folder, 'document.pdf');
    await writeFile(path, pdf);
    return (await run('pdftotext', ['-enc', 'UTF-8', path, '-'], { maxBuffer: maxBytes })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
