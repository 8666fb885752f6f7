import { createHash } from 'node:crypto';
import { textString } from './pdf-text.ts';

export interface Bookmark {
  readonly number: number;
  readonly title: string;
  readonly page: number;
  /** `/First`, `/Last` and `/Count` of the bookmarks below it, or nothing. */
  readonly children: string;
}

const pagesPerNode = 64;

/**
 * Writes one PDF (ISO 32000-1) object by object and keeps only the offsets of objects in memory. An object number may be
 * assigned before the object is written; a number that is never written becomes a free entry.
 */
export class VolumeWriter {
  readonly #write: (bytes: Buffer) => void;
  readonly #offsets: number[] = [0];
  readonly #nodes: { readonly number: number; readonly pages: number[] }[] = [];
  readonly #bookmarks: Bookmark[] = [];
  readonly #digest = createHash('sha256');
  #written = 0;

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  /** The bytes after `%` mark the file as binary (7.5.2). */
  begin(): void {
    this.#put(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  }

  newNumber(): number {
    return this.#offsets.push(0) - 1;
  }

  object(number: number, text: string, data?: Uint8Array): void {
    this.#offsets[number] = this.#written;
    const parts: Buffer[] = [Buffer.from(`${number} 0 obj\n${text}`, 'latin1')];
    if (data !== undefined) parts.push(Buffer.from('\nstream\n'), toBuffer(data), Buffer.from('\nendstream'));
    parts.push(Buffer.from('\nendobj\n'));
    this.#put(Buffer.concat(parts));
  }

  /** Appends a page; returns the number of its parent in the page tree. */
  addPage(number: number): number {
    let node = this.#nodes.at(-1);
    if (node === undefined || node.pages.length === pagesPerNode) {
      node = { number: this.newNumber(), pages: [] };
      this.#nodes.push(node);
    }
    node.pages.push(number);
    return node.number;
  }

  addBookmark(bookmark: Bookmark): void {
    this.#bookmarks.push(bookmark);
  }

  /** Writes the page tree, the bookmarks and the cross-reference table. */
  end(title: string): void {
    const [catalog, info] = [this.newNumber(), this.newNumber()];
    const pages = this.#writePages();
    const outlines = this.#writeBookmarks();
    this.object(catalog, `<</Type /Catalog /Pages ${pages} 0 R /Outlines ${outlines} 0 R /PageMode /UseOutlines>>`);
    this.object(info, `<</Title ${textString(title)} /Producer (Docmill)>>`);
    const id = `<${this.#digest.copy().digest('hex').slice(0, 32)}>`;
    const start = this.#written;
    const trailer = `<</Size ${this.#offsets.length} /Root ${catalog} 0 R /Info ${info} 0 R /ID [${id} ${id}]>>`;
    this.#put(
      Buffer.from(`xref\n0 ${this.#offsets.length}\n${this.#table()}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`),
    );
  }

  #writePages(): number {
    const root = this.newNumber();
    let count = 0;
    for (const { number, pages } of this.#nodes) {
      count += pages.length;
      this.object(number, `<</Type /Pages /Parent ${root} 0 R /Count ${pages.length} /Kids [${refs(pages)}]>>`);
    }
    this.object(root, `<</Type /Pages /Count ${count} /Kids [${refs(this.#nodes.map((node) => node.number))}]>>`);
    return root;
  }

  #writeBookmarks(): number {
    const root = this.newNumber();
    const marks = this.#bookmarks;
    for (const [index, { number, title, page, children }] of marks.entries()) {
      const [before, after] = [marks[index - 1], marks[index + 1]];
      const siblings = `${before ? ` /Prev ${before.number} 0 R` : ''}${after ? ` /Next ${after.number} 0 R` : ''}`;
      const dest = `/Dest [${page} 0 R /XYZ null null null]`;
      this.object(number, `<</Title ${textString(title)} /Parent ${root} 0 R${siblings} ${dest}${children}>>`);
    }
    const [first, last] = [marks.at(0), marks.at(-1)];
    const ends = first && last ? ` /First ${first.number} 0 R /Last ${last.number} 0 R /Count ${marks.length}` : '';
    this.object(root, `<</Type /Outlines${ends}>>`);
    return root;
  }

  #table(): string {
    return this.#offsets
      .map((offset) => (offset === 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`))
      .join('');
  }

  #put(bytes: Buffer): void {
    this.#written += bytes.length;
    this.#digest.update(bytes);
    this.#write(bytes);
  }
}

function refs(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}

function toBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
