import type { CopyTarget } from '../merge/copy-document.ts';
import { textString } from '../merge/pdf-text.ts';
import type { Bookmark } from '../merge/volume-writer.ts';
import { dictionaryOf, type PdfFile, type PdfObject, writePdfFile } from '../pdf-file.ts';

type Side = 'before' | 'after';

/** A part: its pages and its bookmark. */
interface Part {
  readonly side: Side;
  /** Number of its node in the page tree. */
  readonly node: number;
  readonly pages: number[];
  bookmark?: Bookmark;
}

/** A PDF that LibreOffice or direct layout wrote, with parts added before and after its pages. */
export class ExtendedFile {
  readonly #file: PdfFile;
  readonly #objects: Map<number, PdfObject>;
  readonly #parts: Part[] = [];
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#objects = new Map(file.objects.map((object) => [object.number, object]));
    this.#next = file.objects.reduce((most, { number }) => Math.max(most, number + 1), 1);
  }

  startPart(side: Side): CopyTarget {
    const part: Part = { side, node: this.#newNumber(), pages: [] };
    this.#parts.push(part);
    return {
      newNumber: () => this.#newNumber(),
      object: (number, text, data) => this.#put(number, text, data),
      addPage: (number) => {
        part.pages.push(number);
        return part.node;
      },
      addBookmark: (bookmark) => {
        part.bookmark = bookmark;
      },
    };
  }

  write(): Buffer {
    const root = numberIn(this.#file.trailer, 'Root');
    this.#addPages(root);
    this.#addBookmarks(root);
    const trailer = this.#file.trailer.replace(/\/Size\s+\d+/, `/Size ${this.#next}`);
    return writePdfFile({ ...this.#file, objects: [...this.#objects.values()], trailer });
  }

  #addPages(catalog: number): void {
    const tree = numberIn(this.#textOf(catalog), 'Pages');
    for (const { node, pages } of this.#parts)
      this.#put(node, `<</Type /Pages /Parent ${tree} 0 R /Kids [${refs(pages)}] /Count ${pages.length}>>`);
    const nodesOf = (side: Side): string =>
      refs(this.#parts.flatMap((part) => (part.side === side ? [part.node] : [])));
    const added = this.#parts.reduce((sum, { pages }) => sum + pages.length, 0);
    this.#change(tree, (text) =>
      text
        .replace(
          /\/Kids\s*\[([^\]]*)\]/,
          (_found, kids: string) => `/Kids [${nodesOf('before')} ${kids} ${nodesOf('after')}]`,
        )
        .replace(/\/Count\s+(\d+)/, (_found, count: string) => `/Count ${Number(count) + added}`),
    );
    const first = this.#parts.find(({ side }) => side === 'before')?.pages[0];
    // Without this change, readers would open the file at the document's first page, and skip the parts before it.
    if (first !== undefined)
      this.#change(catalog, (text) => text.replace(/\/OpenAction\s*\[\s*\d+ 0 R/, `/OpenAction[${first} 0 R`));
  }

  /** Adds the bookmarks of the parts to those of the document. */
  #addBookmarks(catalog: number): void {
    const outlines = /\/Outlines\s+(\d+) 0 R/.exec(this.#textOf(catalog))?.[1];
    const own = outlines === undefined ? undefined : this.#ownBookmarks(Number(outlines));
    const marks = (side: Side): readonly Bookmark[] =>
      this.#parts.flatMap(({ side: at, bookmark }) =>
        at === side && bookmark !== undefined && isWanted(bookmark, own !== undefined) ? [bookmark] : [],
      );
    const [before, after] = [marks('before'), marks('after')];
    if (before.length + after.length === 0) return;
    const root = own?.root ?? this.#newNumber();
    const numbers = [...before.map(({ number }) => number), ...(own?.ends ?? []), ...after.map(({ number }) => number)];
    const siblings = new Map(
      numbers.map((number, index) => [number, [numbers[index - 1], numbers[index + 1]] as const]),
    );
    for (const { number, title, page, children } of [...before, ...after]) {
      const [previous, next] = siblings.get(number) ?? [];
      const links = `${link('Prev', previous)}${link('Next', next)}`;
      const dest = `/Dest [${page} 0 R /XYZ null null null]`;
      this.#put(number, `<</Title ${textString(title || untitled)} /Parent ${root} 0 R${links} ${dest}${children}>>`);
    }
    const ends = `${link('First', numbers[0])}${link('Last', numbers.at(-1))}`;
    const added = before.length + after.length;
    if (own === undefined) {
      this.#put(root, `<</Type /Outlines${ends} /Count ${added}>>`);
      this.#append(catalog, link('Outlines', root));
      return;
    }
    const [first = 0, last = 0] = [own.ends[0], own.ends.at(-1)];
    if (before.length > 0) this.#append(first, link('Prev', siblings.get(first)?.[0]));
    if (after.length > 0) this.#append(last, link('Next', siblings.get(last)?.[1]));
    this.#change(root, (text) =>
      text
        .replace(/\/First\s+\d+ 0 R/, '')
        .replace(/\/Last\s+\d+ 0 R/, ends)
        .replace(/\/Count\s+(\d+)/, (_found, count: string) => `/Count ${Number(count) + added}`),
    );
  }

  /** The first and the last bookmark of the document, or the only one. */
  #ownBookmarks(root: number): { readonly root: number; readonly ends: readonly number[] } | undefined {
    const text = this.#textOf(root);
    const [first, last] = ['First', 'Last'].map((key) =>
      Number(new RegExp(`/${key}\\s+(\\d+) 0 R`).exec(text)?.[1] ?? 0),
    );
    return first && last ? { root, ends: first === last ? [first] : [first, last] } : undefined;
  }

  #newNumber(): number {
    return this.#next++;
  }

  #put(number: number, text: string, data?: Uint8Array): void {
    const pieces = [Buffer.from(`${number} 0 obj\n${text}`, 'latin1')];
    if (data !== undefined) pieces.push(Buffer.from('\nstream\n'), Buffer.from(data), Buffer.from('\nendstream'));
    this.#objects.set(number, { number, bytes: Buffer.concat([...pieces, Buffer.from('\nendobj\n\n')]) });
  }

  #textOf(number: number): string {
    const object = this.#objects.get(number);
    if (object === undefined) throw new Error(`the PDF has no object ${number}`);
    return dictionaryOf(object);
  }

  #change(number: number, change: (text: string) => string): void {
    this.#objects.set(number, { number, bytes: Buffer.from(change(this.#textOf(number)), 'latin1') });
  }

  #append(number: number, entry: string): void {
    this.#change(number, (text) => text.replace(/>>\s*endobj\s*$/, `${entry}>>\nendobj\n\n`));
  }
}

const untitled = 'PDF';

/** Whether a part gets a bookmark: if it has bookmarks itself, or the document has some and the part has a title. */
function isWanted({ title, children }: Bookmark, hasOwn: boolean): boolean {
  return children !== '' || (hasOwn && title !== '');
}

function numberIn(text: string, key: string): number {
  const number = new RegExp(`/${key}\\s+(\\d+) 0 R`).exec(text)?.[1];
  if (number === undefined) throw new Error(`the PDF has no ${key}`);
  return Number(number);
}

function refs(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}

function link(key: string, number: number | undefined): string {
  return number === undefined ? '' : ` /${key} ${number} 0 R`;
}
