import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Numbers of the pages, counted from 1, whose pictures at `dpi` differ in any pixel, or that only one PDF has. */
export async function differingPages(one: Uint8Array, other: Uint8Array, dpi = 150): Promise<number[]> {
  const folder = await mkdtemp('/dev/shm/docmill-pages-');
  try {
    const [ones, others] = await Promise.all([draw(one, join(folder, 'a'), dpi), draw(other, join(folder, 'b'), dpi)]);
    const differing: number[] = [];
    for (let page = 0; page < Math.max(ones.length, others.length); page++) {
      const [a, b] = await Promise.all(
        [ones[page], others[page]].map((file) => (file === undefined ? undefined : readFile(file))),
      );
      if (a === undefined || b === undefined || !a.equals(b)) differing.push(page + 1);
    }
    return differing;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function draw(pdf: Uint8Array, folder: string, dpi: number): Promise<string[]> {
  await mkdir(folder);
  const path = join(folder, 'document.pdf');
  await writeFile(path, pdf);
  await run('pdftoppm', ['-r', `${dpi}`, '-gray', path, join(folder, 'page')]);
  const names = (await readdir(folder)).filter((name) => name.startsWith('page')).sort();
  return names.map((name) => join(folder, name));
}
