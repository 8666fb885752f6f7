import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../error-code.ts';
import type { PageText, Segment } from './page-text.ts';

/** A rendered document: its first pages, and its page count. */
export interface RenderedDocument {
  readonly pageCount: number;
  /** The SHA-256 of the PDF with the first pages, hex. */
  readonly sha256: string;
  readonly pages: readonly PageText[];
}

/** An expected document. */
export interface Golden extends RenderedDocument {
  readonly dpi: number;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const length = z.number().min(0);
const documentSchema = z.strictObject({
  pageCount: z.number().int().min(1),
  sha256: z.string(),
  dpi: z.number().int().min(1),
  pages: z.array(z.strictObject({ width: length, height: length })).max(20),
});

/** A folder of expected pages that `docmill test --update` did not write. */
export class GoldenError extends Error {}

/** The expected document of a folder; undefined if there is none. Throws `GoldenError` for a damaged folder. */
export async function readGolden(folder: string): Promise<Golden | undefined> {
  const text = await readFile(join(folder, 'document.json'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { pages, ...document } = documentSchema.parse(JSON.parse(text));
    const texts = pages.map(async (size, index): Promise<PageText> => {
      const lines = await readFile(join(folder, `page-${index + 1}.txt`), 'utf8');
      return { ...size, segments: lines.split(/\r?\n/).filter(Boolean).map(parseLine) };
    });
    return { ...document, pages: await Promise.all(texts) };
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String((error as Error).message);
    throw new GoldenError(`The expected pages in ${folder} cannot be read (${reason}). Write them with --update.`);
  }
}

/** The expected picture of a page, as PNG; undefined if there is none. */
export function readGoldenPicture(folder: string, page: number): Promise<Buffer | undefined> {
  return readFile(join(folder, `page-${page}.png`)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** Replaces a folder of expected pages atomically. */
export async function writeGolden(folder: string, golden: Golden, pictures: readonly Uint8Array[]): Promise<void> {
  const { pages, ...document } = golden;
  const next = `${folder}.next`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true });
  const sizes = pages.map(({ width, height }) => ({ width, height }));
  await writeFile(join(next, 'document.json'), `${JSON.stringify({ ...document, pages: sizes }, null, 2)}\n`);
  for (const [index, { segments }] of pages.entries())
    await writeFile(join(next, `page-${index + 1}.txt`), segments.map((segment) => `${toLine(segment)}\n`).join(''));
  for (const [index, picture] of pictures.entries()) await writeFile(join(next, `page-${index + 1}.png`), picture);
  await rm(folder, { recursive: true, force: true });
  await rename(next, folder);
}

/** One line per text: left edge, baseline and width in points, then the text, so that a review shows the changes. */
const toLine = ({ x, y, width, text }: Segment): string =>
  `${[x, y, width].map((value) => value.toFixed(1).padStart(6)).join(' ')}  ${text}`;

const linePattern = /^ *(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) {2}(.*)$/u;

function parseLine(line: string): Segment {
  const [, x, y, width, text] = linePattern.exec(line) ?? [];
  if (text === undefined) throw new Error(`${JSON.stringify(line.slice(0, 80))} is not a line of expected text`);
  return { x: Number(x), y: Number(y), width: Number(width), text };
}
