import { hash } from 'node:crypto';
import { dictionaryOf, type PdfFile, type PdfObject, type PdfObjects, readPdfFile, writePdfFile } from './pdf-file.ts';

/** Pages of another PDF of the same document, counted from 0. */
export interface OtherPages {
  readonly pdf: Uint8Array;
  readonly pages: readonly number[];
}

const reference = /\b(\d+) 0 R\b/g;
const maxDepth = 40;

/**
 * Replaces what is drawn on some pages by what other PDFs of the same document draw there. Links, bookmarks and tags stay
 * those of `pdf`. Objects that are equal are shared. Undefined if a file has an unexpected form or number of pages.
 */
export function replacePages(pdf: Uint8Array, others: readonly OtherPages[]): Buffer | undefined {
  const file = readPdfFile(pdf);
  const pages = file && pagesOf(file);
  if (file === undefined || pages === undefined) return undefined;
  const merged = new MergedFile(file);
  for (const { pdf: otherPdf, pages: wanted } of others) {
    const other = readPdfFile(otherPdf);
    const otherPages = other && pagesOf(other);
    if (other === undefined || otherPages?.length !== pages.length) return undefined;
    const copy = merged.copyFrom(other);
    for (const index of wanted) {
      const [page, source] = [pages[index], otherPages[index]];
      if (page === undefined || source === undefined || !merged.redraw(page, source, copy)) return undefined;
    }
  }
  return merged.write();
}

/** The page objects in order; undefined if the page tree has an unexpected form. */
function pagesOf({ objects, trailer }: PdfFile): readonly PdfObject[] | undefined {
  const byNumber = new Map(objects.map((object) => [object.number, object]));
  const find = (text: string, key: string): PdfObject | undefined =>
    byNumber.get(Number(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1]));
  const root = find(trailer, 'Root');
  const top = root && find(dictionaryOf(root), 'Pages');
  const pages: PdfObject[] = [];
  const walk = (node: PdfObject | undefined, depth: number): boolean => {
    if (node === undefined || depth > maxDepth) return false;
    const text = dictionaryOf(node);
    if (/\/Type\s*\/Page\b(?!s)/.test(text)) return pages.push(node) > 0;
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(text)?.[1];
    return (
      kids !== undefined && [...kids.matchAll(reference)].every(([, kid]) => walk(byNumber.get(Number(kid)), depth + 1))
    );
  };
  return walk(top, 0) ? pages : undefined;
}

/** The entries of a page that determine its content (ISO 32000-1, 7.7.3.3). */
const drawingEntries = ['Contents', 'Resources', 'Group'] as const;
const entry = (key: string): RegExp => new RegExp(`/${key}\\s*(\\d+ 0 R|<<(?:[^<>]|<<[^<>]*>>)*>>)`);

type Copy = (number: number) => number | undefined;

class MergedFile {
  readonly #file: PdfFile;
  readonly #objects = new Map<number, PdfObject>();
  readonly #byContent = new Map<string, number>();
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#next = file.objects.reduce((most, { number }) => Math.max(most, number + 1), 1);
    for (const object of file.objects) {
      this.#objects.set(object.number, object);
      this.#byContent.set(contentOf(object.bytes), object.number);
    }
  }

  /** Copies objects of another file with all they refer to. Returns the number of the copy. */
  copyFrom({ objects }: PdfFile): Copy {
    const byNumber: PdfObjects = new Map(objects.map((object) => [object.number, object]));
    const copies = new Map<number, number | undefined>();
    const copy = (number: number): number | undefined => {
      if (copies.has(number)) return copies.get(number);
      // Drawings do not refer to themselves; an object that does is not copied.
      copies.set(number, undefined);
      const source = byNumber.get(number);
      const renamed = source && rename(source, copy);
      if (renamed === undefined) return undefined;
      const made = this.#add(renamed);
      copies.set(number, made);
      return made;
    };
    return copy;
  }

  /** Draws a page like `source`. Returns whether all objects were found. */
  redraw(page: PdfObject, source: PdfObject, copy: Copy): boolean {
    const [before, other] = [this.#objects.get(page.number) ?? page, dictionaryOf(source)];
    let text = dictionaryOf(before);
    for (const key of drawingEntries) {
      const [found, value = ''] = entry(key).exec(other) ?? [];
      if (found === undefined && !entry(key).test(text)) continue;
      const renamed = renameText(value, copy);
      if (found === undefined || renamed === undefined || !entry(key).test(text)) return false;
      text = text.replace(entry(key), () => `/${key} ${renamed}`);
    }
    this.#objects.set(page.number, { number: page.number, bytes: Buffer.from(text, 'latin1') });
    return true;
  }

  write(): Buffer {
    const trailer = this.#file.trailer.replace(/\/Size\s+\d+/, `/Size ${this.#next}`);
    return writePdfFile({ ...this.#file, objects: [...this.#objects.values()], trailer });
  }

  #add(bytes: Buffer): number {
    const content = contentOf(bytes);
    const equal = this.#byContent.get(content);
    if (equal !== undefined) return equal;
    const number = this.#next++;
    this.#objects.set(number, {
      number,
      bytes: Buffer.concat([Buffer.from(`${number} 0 `), bytes.subarray(bytes.indexOf('obj'))]),
    });
    this.#byContent.set(content, number);
    return number;
  }
}

/** A digest of an object without its number. */
const contentOf = (bytes: Buffer): string => hash('sha256', bytes.subarray(bytes.indexOf('obj')), 'base64');

/** The bytes of an object with the numbers of copies; undefined if it refers to an object that is not copied. */
function rename(object: PdfObject, copy: Copy): Buffer | undefined {
  const dictionary = dictionaryOf(object);
  const renamed = renameText(dictionary, copy);
  const length = Buffer.byteLength(dictionary, 'latin1');
  if (renamed === undefined) return undefined;
  return Buffer.concat([Buffer.from(renamed, 'latin1'), object.bytes.subarray(length)]);
}

function renameText(text: string, copy: Copy): string | undefined {
  let isWhole = true;
  const renamed = text.replace(reference, (_found, number: string) => {
    const made = copy(Number(number));
    if (made === undefined) isWhole = false;
    return `${made} 0 R`;
  });
  return isWhole ? renamed : undefined;
}
