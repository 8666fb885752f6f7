import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { CellWidthReader } from './cell-width.ts';
import { emuPer } from './length.ts';
import { PageSetup } from './page-setup.ts';
import type { Size } from './picture.ts';

/** The space for a picture at its tag. The size of a page is set later, since its setup follows its text. */
export interface Space {
  size: Size;
}

/** A4 with margins of 2.54 cm. */
const defaultPage: Size = { width: 9_026 * emuPer.twip, height: 13_958 * emuPer.twip };

/** Word's default margins of cells and text boxes. */
const cellMarginTwips = 108;
const boxInset = { width: 2 * 91_440, height: 2 * 45_720 } as const;

/** The text area of the main part's last section, which headers, footers and notes share. */
export function pageSpace(xml: string): Size {
  const start = xml.lastIndexOf('<w:sectPr');
  if (start === -1) return defaultPage;
  const reader = new SpaceReader();
  reader.read(xml.slice(start));
  return reader.page;
}

/** Tracks the markup of one part and exposes the space at the current position. */
export class SpaceReader {
  readonly #frames: (CellWidthReader | Space)[] = [];
  #page: Space;
  #setup: PageSetup | undefined;
  #drawn: Size | undefined;

  /** `page`: the space for parts without a page setup, such as headers. */
  constructor(page: Size = defaultPage) {
    this.#page = { size: page };
  }

  /** The space at this position. Its size may still change when the page setup is read. */
  get space(): Space {
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const frame = this.#frames[i];
      if (frame === undefined) continue;
      if (!(frame instanceof CellWidthReader)) return frame;
      const width = frame.cellWidthEmu;
      if (width !== undefined) return { size: { width, height: this.#page.size.height } };
    }
    return this.#page;
  }

  /** The space of the last page setup read. */
  get page(): Size {
    return this.#page.size;
  }

  read(xml: string): void {
    if (!xml.includes('<')) return;
    scanXmlTags(xml, (tag) => this.#visit(xml, tag));
  }

  #visit(xml: string, tag: XmlTag): void {
    const { local, kind } = tag;
    const top = this.#frames.at(-1);
    if (local === 'tbl') this.#nest(kind, () => new CellWidthReader(cellMarginTwips));
    else if (local === 'txbxContent') this.#nest(kind, () => ({ size: this.#boxSpace() }));
    else if (local === 'sectPr') this.#visitSetup(kind);
    else if (kind !== 'close' && (local === 'extent' || local === 'shape' || local === 'rect')) {
      this.#drawn = drawnSize(valuesOf(xml, tag)) ?? this.#drawn;
    } else if (this.#setup !== undefined && kind !== 'close') this.#setup.read(local, valuesOf(xml, tag));
    else if (top instanceof CellWidthReader && CellWidthReader.knows(local)) top.read(local, kind, valuesOf(xml, tag));
  }

  #nest(kind: XmlTag['kind'], open: () => CellWidthReader | Space): void {
    if (kind === 'open') this.#frames.push(open());
    if (kind === 'close') this.#frames.pop();
  }

  #visitSetup(kind: XmlTag['kind']): void {
    if (kind === 'open') this.#setup = new PageSetup();
    if (kind !== 'close' || this.#setup === undefined) return;
    const { space } = this.#setup;
    this.#setup = undefined;
    if (space === undefined) return;
    this.#page.size = space;
    this.#page = { size: space };
  }

  #boxSpace(): Size {
    const { width, height } = this.#drawn ?? this.#page.size;
    return { width: Math.max(1, width - boxInset.width), height: Math.max(1, height - boxInset.height) };
  }
}

function valuesOf(xml: string, tag: XmlTag): ReadonlyMap<string, string> {
  return new Map(readAttributes(xml, tag).map(({ local, value }) => [local, value]));
}

/** The size in EMU of a drawing or, from its style, of a VML shape. */
function drawnSize(values: ReadonlyMap<string, string>): Size | undefined {
  const style = values.get('style') ?? '';
  const points = (name: string) =>
    Number(new RegExp(`(?:^|;)\\s*${name}:([\\d.]{1,12})pt`).exec(style)?.[1]) * emuPer.pt;
  const width = Number(values.get('cx') ?? points('width'));
  const height = Number(values.get('cy') ?? points('height'));
  return width > 0 && height > 0 ? { width, height } : undefined;
}
