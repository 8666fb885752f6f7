import { PDF } from '@libpdf/core';
import { CannotMerge, copyDocument } from '../merge/copy-document.ts';
import { TooDeep } from '../merge/pdf-text.ts';
import { readPdfFile } from '../pdf-file.ts';
import { ExtendedFile } from './extended-file.ts';
import { findLosses } from './find-losses.ts';
import type { JoinAnswer, JoinRequest } from './messages.ts';

class Refused extends Error {}

/** The header need not be at the very beginning (ISO 32000-1, Annex H.3.4.1). */
const headerWindowBytes = 1_024;

/**
 * Puts the pages of other PDFs before and after those of a document. The document keeps its own catalog, and so its
 * metadata, tags, bookmarks and links.
 */
export async function joinPdfs({ pdf, before, after, content, maxPages }: JoinRequest): Promise<JoinAnswer> {
  const file = readPdfFile(pdf);
  if (file === undefined) throw new Error('the PDF has no table of objects that can be extended');
  const extended = new ExtendedFile(file);
  const losses: { readonly path: string; readonly lost: readonly string[] }[] = [];
  // Objects that are already copied, by content, because parts often share a logo or fonts.
  const shared = new Map<string, number>();
  let addedPages = 0;
  const parts = [
    ...before.map((part) => ({ part, side: 'before' as const })),
    ...after.map((part) => ({ part, side: 'after' as const })),
  ];
  for (const { part, side } of parts) {
    try {
      const opened = await open(content.get(part.path));
      addedPages += opened.getPageCount();
      if (addedPages > maxPages) throw new Refused(`brings the added pages to more than ${maxPages}`);
      copyDocument(extended.startPart(side), opened, opened.getTitle()?.slice(0, 200) || part.title, shared);
      const lost = findLosses(opened);
      if (lost.length > 0) losses.push({ path: part.path, lost });
    } catch (error) {
      return { kind: 'refused', path: part.path, problem: problemOf(error) };
    }
  }
  return { kind: 'joined', pdf: extended.write(), addedPages, losses };
}

async function open(bytes: Uint8Array = new Uint8Array()): Promise<PDF> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headerWindowBytes));
  if (!start.includes('%PDF-')) throw new Refused('is not a PDF');
  const pdf = await PDF.load(bytes);
  if (pdf.isEncrypted) throw new Refused('is encrypted: remove its password and its permissions');
  // The library recovers what it can of a damaged file, so pages may be missing.
  if (pdf.recoveredViaBruteForce) throw new Refused('is damaged: save it again with the program that made it');
  if (pdf.getPageCount() === 0) throw new Refused('has no pages');
  return pdf;
}

function problemOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const reason = error instanceof CannotMerge || error instanceof TooDeep ? `: ${error.message}` : '';
  return `is damaged${reason}`;
}
