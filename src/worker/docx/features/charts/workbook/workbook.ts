import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { attributeOf, scanXmlTags, textContent } from '@docmill/word/xml-tokens';
import { AppError } from '../../../../../shared/errors.ts';
import { packageLimits } from '../../../limits.ts';
import { checkXml } from '../../../package/check-xml.ts';
import { type DocxPackage, openWorkbookPackage } from '../../../package/open-package.ts';
import { chartLimits } from '../chart-limits.ts';
import { readSheet, type SheetData } from './read-sheet.ts';

export interface Sheet extends SheetData {
  readonly part: string;
  readonly xml: string;
}

const limits = {
  ...packageLimits,
  maxEntries: chartLimits.workbookEntries,
  maxInflatedBytes: chartLimits.workbookInflatedBytes,
  maxPartBytes: chartLimits.workbookInflatedBytes,
};

/** The embedded workbook of a chart. Each of its parts is checked when first read. */
export class Workbook {
  readonly source: DocxPackage;
  readonly #budget = { elements: packageLimits.maxXmlElements, attributes: packageLimits.maxXmlAttributes };
  readonly #texts = new Map<string, string | undefined>();
  readonly #sheets = new Map<string, Sheet | undefined>();
  #strings: readonly string[] | undefined;

  private constructor(source: DocxPackage) {
    this.source = source;
  }

  /** Undefined for a file that is not a workbook within the limits; such a file stays unchanged. */
  static open(bytes: Uint8Array): Workbook | undefined {
    if (bytes.byteLength > chartLimits.workbookBytes) return undefined;
    return orUndefined(() => new Workbook(openWorkbookPackage(bytes, limits)));
  }

  /** Unpacked size of all parts. */
  get sizeBytes(): number {
    return this.source.partNames.reduce((sum, name) => sum + (this.source.entry(name)?.sizeBytes ?? 0), 0);
  }

  /** The sheet of this name, ignoring case; undefined if there is none or it cannot be read. */
  sheet(name: string): Sheet | undefined {
    const key = name.toLowerCase();
    if (!this.#sheets.has(key))
      this.#sheets.set(
        key,
        orUndefined(() => this.#readSheet(key)),
      );
    return this.#sheets.get(key);
  }

  /** The parts that `part` refers to, of one kind of relationship. */
  related(part: string, kind: string): readonly string[] {
    return readRelationships(this.text(relationshipsPartOf(part)) ?? '')
      .filter((relationship) => relationship.kind === kind && !relationship.isExternal)
      .map(({ target }) => resolveTarget(part, target));
  }

  /** The text of a part, checked like the parts of an upload. Throws `template_invalid`. */
  text(part: string): string | undefined {
    if (!this.#texts.has(part)) {
      const bytes = this.source.read(part);
      if (bytes !== undefined) checkXml(bytes, part, { limits, budget: this.#budget });
      this.#texts.set(part, this.source.readText(part));
    }
    return this.#texts.get(part);
  }

  get sharedStringsPart(): string | undefined {
    return this.related(this.source.mainPart, 'sharedstrings')[0];
  }

  #readSheet(name: string): Sheet | undefined {
    const main = this.source.mainPart;
    const xml = this.text(main) ?? '';
    let id: string | undefined;
    scanXmlTags(xml, (tag) => {
      if (tag.local === 'sheet' && tag.kind !== 'close' && attributeOf(xml, tag, 'name')?.toLowerCase() === name)
        id ??= attributeOf(xml, tag, 'id');
    });
    const found = readRelationships(this.text(relationshipsPartOf(main)) ?? '').find((other) => other.id === id);
    if (found === undefined || found.isExternal) return undefined;
    const part = resolveTarget(main, found.target);
    const sheet = this.text(part);
    const data = sheet === undefined ? undefined : readSheet(sheet, this.#sharedStrings());
    return sheet === undefined || data === undefined ? undefined : { ...data, part, xml: sheet };
  }

  #sharedStrings(): readonly string[] {
    const part = this.sharedStringsPart;
    this.#strings ??= part === undefined ? [] : readStrings(this.text(part) ?? '');
    return this.#strings;
  }
}

/** The strings of a shared string table (ECMA-376 part 1, 18.4.8), without phonetic readings. */
function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = '';
  let [start, phonetic] = [-1, 0];
  scanXmlTags(xml, ({ local, kind, start: tagStart, end }) => {
    if (local === 'si') {
      if (kind === 'open') text = '';
      if (kind === 'empty') text = '';
      if (kind !== 'open') strings.push(text);
    } else if (local === 'rPh') phonetic += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
    else if (local === 't' && phonetic === 0) {
      if (kind === 'open') start = end;
      else if (kind === 'close') text += textContent(xml.slice(start, tagStart));
    }
  });
  return strings;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
