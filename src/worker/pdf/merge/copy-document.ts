import { createHash } from 'node:crypto';
import { type PDF, PdfDict, PdfName, type PdfObject, type PdfRef, PdfStream } from '@libpdf/core';
import { pdfText } from './pdf-text.ts';
import type { VolumeWriter } from './volume-writer.ts';

/** The file into which pages are copied. */
export type CopyTarget = Pick<VolumeWriter, 'newNumber' | 'object' | 'addPage' | 'addBookmark'>;

/** Thrown for a document that cannot be part of a merged PDF. */
export class CannotMerge extends Error {}

const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;
const omittedPageKeys: ReadonlySet<string> = new Set(['Type', 'Parent', 'StructParents', 'B', ...inherited]);
/** Positions in the tags of the original document. */
const structureKeys: ReadonlySet<string> = new Set(['StructParent', 'StructParents']);
/** Objects that belong to the original document as a whole; references to them become null. */
const omittedTypes: ReadonlySet<string> = new Set(['Catalog', 'Pages', 'StructTreeRoot', 'StructElem']);
const maxAncestors = 64;
/** Maximum nesting of streams for duplicate detection. */
const maxNesting = 16;

/**
 * Copies the pages of one document, with everything they refer to, into a volume, under a bookmark that contains the
 * document's bookmarks. Links inside the document keep working. Streams that the volume already has, such as a logo, are
 * shared: `shared` maps their digests to object numbers.
 */
export function copyDocument(volume: CopyTarget, pdf: PDF, title: string, shared: Map<string, number>): void {
  if (pdf.isEncrypted) throw new CannotMerge('it is encrypted');
  const copy = new DocumentCopy(volume, pdf, shared);
  const pages = pdf.context.pages.getPages();
  const numbers = pages.map((ref) => copy.assign(ref));
  const bookmark = volume.newNumber();
  const [page] = numbers;
  if (page === undefined) throw new CannotMerge('it has no pages');
  volume.addBookmark({ number: bookmark, title, page, children: copy.takeBookmarks(bookmark) });
  for (const [index, ref] of pages.entries()) copy.writePage(ref, numbers[index] ?? 0);
  copy.writeNeeded();
}

class DocumentCopy {
  readonly #volume: CopyTarget;
  readonly #pdf: PDF;
  readonly #shared: Map<string, number>;
  readonly #numbers = new Map<string, number>();
  readonly #needed: { readonly number: number; readonly object: PdfObject }[] = [];
  #nesting = 0;

  constructor(volume: CopyTarget, pdf: PDF, shared: Map<string, number>) {
    this.#volume = volume;
    this.#pdf = pdf;
    this.#shared = shared;
  }

  assign(ref: PdfRef, number = this.#volume.newNumber()): number {
    this.#numbers.set(keyOf(ref), number);
    return number;
  }

  /** Places the document's own bookmarks below `bookmark`. */
  takeBookmarks(bookmark: number): string {
    const catalog = this.#pdf.context.catalog.getDict();
    const ref = catalog.getRef('Outlines');
    const root = ref === undefined ? undefined : this.#resolve(ref);
    if (ref === undefined || !(root instanceof PdfDict)) return '';
    const [first, last] = [root.getRef('First'), root.getRef('Last')];
    if (first === undefined || last === undefined) return '';
    this.assign(ref, bookmark);
    const count = Math.abs(root.getNumber('Count')?.value ?? 1);
    return ` /First ${this.#rename(first)} /Last ${this.#rename(last)} /Count ${-Math.max(1, Math.trunc(count))}`;
  }

  writePage(ref: PdfRef, number: number): void {
    const page = this.#resolve(ref);
    if (!(page instanceof PdfDict)) throw new CannotMerge('one of its pages is missing');
    const own = pdfText(page, (inner) => this.#rename(inner), omittedPageKeys).slice(2, -2);
    const values = inherited.flatMap((key) => {
      const value = this.#inherited(page, key);
      return value === undefined ? [] : [`/${key} ${pdfText(value, (inner) => this.#rename(inner))}`];
    });
    const parent = this.#volume.addPage(number);
    this.#volume.object(number, `<</Type /Page /Parent ${parent} 0 R ${values.join(' ')} ${own}>>`);
  }

  writeNeeded(): void {
    for (let next = this.#needed.pop(); next !== undefined; next = this.#needed.pop()) {
      const { number, object } = next;
      const text = pdfText(object, (inner) => this.#rename(inner), structureKeys);
      this.#volume.object(number, text, object instanceof PdfStream ? object.data : undefined);
    }
  }

  #inherited(page: PdfDict, key: (typeof inherited)[number]): PdfObject | undefined {
    let node: PdfDict | undefined = page;
    for (let depth = 0; node !== undefined && depth < maxAncestors; depth++) {
      const value = node.get(key);
      if (value !== undefined) return value;
      node = node.getDict('Parent', (ref) => this.#resolve(ref));
    }
    return undefined;
  }

  #rename(ref: PdfRef): string {
    const known = this.#numbers.get(keyOf(ref));
    if (known !== undefined) return `${known} 0 R`;
    const object = this.#resolve(ref);
    if (object === null || (object instanceof PdfDict && isOmitted(object))) return 'null';
    const number = this.assign(ref);
    const duplicate = object instanceof PdfStream ? this.#duplicateOf(object, number) : undefined;
    if (duplicate !== undefined) return `${this.assign(ref, duplicate)} 0 R`;
    this.#needed.push({ number, object });
    return `${number} 0 R`;
  }

  /** The number of the same stream in the volume; a new stream is registered under `number`. */
  #duplicateOf(stream: PdfStream, number: number): number | undefined {
    if (this.#nesting === maxNesting) return undefined;
    this.#nesting += 1;
    const text = pdfText(stream, (inner) => this.#rename(inner));
    this.#nesting -= 1;
    const digest = createHash('sha256').update(text, 'latin1').update(stream.data).digest('base64');
    const duplicate = this.#shared.get(digest);
    if (duplicate === undefined) this.#shared.set(digest, number);
    return duplicate;
  }

  #resolve(ref: PdfRef): PdfObject | null {
    return this.#pdf.context.resolve(ref);
  }
}

function isOmitted(object: PdfDict): boolean {
  const type = object.get('Type');
  return type instanceof PdfName && omittedTypes.has(type.value);
}

function keyOf(ref: PdfRef): string {
  return `${ref.objectNumber} ${ref.generation}`;
}
