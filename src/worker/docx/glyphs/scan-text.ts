import { decodeEntities, scanXml, type XmlSpan, type XmlTag } from '@docmill/word/xml-tokens';
import { attributesOf, type FontNames, type RunFormat } from './requested-font.ts';

export type PartKind = 'story' | 'drawing' | 'svg';

/** Printed text in one format. */
export interface ShownText {
  readonly text: string;
  readonly format: RunFormat;
}

/** Prefixes of alternative content that LibreOffice reads instead of the fallback (ECMA-376 part 3, 10.2.1). */
const understood = /^(?:wp[scgi]|wp14|w1[0-9]|a14|c14|v)$/;

const textElements: Readonly<Record<PartKind, ReadonlySet<string>>> = {
  story: new Set(['t', 'delText']),
  // The text of a number format is printed with the numbers: `0 "pieces"`.
  drawing: new Set(['t', 'v', 'formatCode']),
  svg: new Set(['text']),
};
const blockElements: Readonly<Record<PartKind, ReadonlySet<string>>> = {
  story: new Set(['p']),
  drawing: new Set(['p', 'pt', 'formatCode']),
  svg: new Set(['text']),
};

interface Run {
  fonts: FontNames | undefined;
  style: string | undefined;
  isHidden: boolean;
}

interface Block {
  style: string | undefined;
  /** The fonts of a paragraph in a drawing. */
  fonts: FontNames | undefined;
  readonly texts: ShownText[];
}

/** Elements of DrawingML that name a font, with the attributes of `w:rFonts` that mean the same. */
const drawingFonts: Readonly<Record<string, readonly string[]>> = {
  latin: ['ascii', 'hAnsi'],
  ea: ['eastAsia'],
  cs: ['cs'],
};

const plainFormat: RunFormat = { fonts: undefined, characterStyle: undefined, paragraphStyle: undefined };
const plainRun: Run = { fonts: undefined, style: undefined, isHidden: false };

/** Calls `onBlock` with the printed text of every paragraph of a story, every text of a chart or diagram, or of an SVG. */
export function scanText(xml: string, kind: PartKind, onBlock: (texts: readonly ShownText[]) => void): void {
  const scanner = new TextScanner(xml, kind, onBlock);
  scanXml(
    xml,
    (tag) => scanner.tag(tag),
    (span) => scanner.span(span),
  );
  scanner.end();
}

class TextScanner {
  readonly #xml: string;
  readonly #kind: PartKind;
  readonly #onBlock: (texts: readonly ShownText[]) => void;
  /** Text boxes nest paragraphs and runs. */
  readonly #blocks: Block[] = [{ style: undefined, fonts: undefined, texts: [] }];
  readonly #runs: Run[] = [plainRun];
  /** For each open Choice or Fallback, whether it is skipped. For each AlternateContent, whether a choice was taken. */
  readonly #omitted: boolean[] = [];
  readonly #taken: boolean[] = [];
  #omittedDepth = 0;
  #textDepth = 0;
  #oldFormat = 0;

  constructor(xml: string, kind: PartKind, onBlock: (texts: readonly ShownText[]) => void) {
    this.#xml = xml;
    this.#kind = kind;
    this.#onBlock = onBlock;
  }

  tag(tag: XmlTag): void {
    const { local, kind } = tag;
    const isOpen = kind === 'open';
    if (/^(?:AlternateContent|Choice|Fallback)$/.test(local)) this.#alternative(tag);
    else if (/^[rp]PrChange$/.test(local) && kind !== 'empty') this.#oldFormat += isOpen ? 1 : -1;
    if (blockElements[this.#kind].has(local) && kind !== 'empty') this.#block(isOpen);
    if (textElements[this.#kind].has(local) && kind !== 'empty')
      this.#textDepth = Math.max(0, this.#textDepth + (isOpen ? 1 : -1));
    if (this.#kind === 'svg') return;
    if (local === 'r' && kind !== 'empty') this.#run(isOpen);
    else if (kind !== 'close' && this.#kind === 'drawing') {
      this.#drawingFont(tag);
      if (local === 'numFmt')
        this.#onBlock([{ text: attributesOf(this.#xml, tag).get('formatCode') ?? '', format: plainFormat }]);
    } else if (kind !== 'close' && this.#oldFormat === 0) this.#format(tag);
  }

  span({ kind, start, end }: XmlSpan): void {
    if (this.#textDepth === 0 || this.#omittedDepth > 0 || this.#lastRun.isHidden) return;
    if (kind === 'text') this.#add(decodeEntities(this.#xml.slice(start, end)));
    else if (kind === 'cdata') this.#add(this.#xml.slice(start + 9, end - 3));
  }

  end(): void {
    while (this.#blocks.length > 0) this.#flush();
  }

  get #lastRun(): Run {
    return this.#runs.at(-1) ?? plainRun;
  }

  #add(text: string, fonts = this.#lastRun.fonts ?? this.#blocks.at(-1)?.fonts): void {
    const block = this.#blocks.at(-1);
    const format = { fonts, characterStyle: this.#lastRun.style, paragraphStyle: block?.style };
    block?.texts.push({ text, format });
  }

  #block(isOpen: boolean): void {
    if (isOpen) this.#blocks.push({ style: undefined, fonts: undefined, texts: [] });
    else if (this.#blocks.length > 1) this.#flush();
  }

  #flush(): void {
    const texts = this.#blocks.pop()?.texts ?? [];
    if (texts.length > 0) this.#onBlock(texts);
  }

  #run(isOpen: boolean): void {
    if (isOpen) this.#runs.push({ ...plainRun });
    else if (this.#runs.length > 1) this.#runs.pop();
  }

  #format(tag: XmlTag): void {
    const run = this.#lastRun;
    const values = () => attributesOf(this.#xml, tag);
    if (tag.local === 'textpath') this.#wordArt(values());
    else if (tag.local === 'pStyle') {
      const block = this.#blocks.at(-1);
      if (block !== undefined) block.style = values().get('val');
    } else if (run === plainRun) return;
    else if (tag.local === 'rFonts') run.fonts = values();
    else if (tag.local === 'rStyle') run.style = values().get('val');
    else if (tag.local === 'vanish') run.isHidden = !/^(?:0|false|off)$/.test(values().get('val') ?? '');
    else if (tag.local === 'sym' && this.#omittedDepth === 0 && !run.isHidden) this.#symbol(values());
  }

  /** `a:latin`, `a:ea` and `a:cs` are in the properties of a run, or before it in those of its paragraph. */
  #drawingFont(tag: XmlTag): void {
    const names = drawingFonts[tag.local];
    const typeface = names === undefined ? '' : (attributesOf(this.#xml, tag).get('typeface') ?? '');
    if (names === undefined || typeface === '') return;
    const target = this.#lastRun === plainRun ? this.#blocks.at(-1) : this.#lastRun;
    if (target === undefined || (target === this.#blocks[0] && this.#blocks.length === 1)) return;
    target.fonts = new Map([...(target.fonts ?? []), ...names.map((name) => [name, typeface] as const)]);
  }

  /** WordArt of older versions, such as a watermark, has its text in an attribute (ECMA-376 part 4, 19.1.2.23). */
  #wordArt(values: ReadonlyMap<string, string>): void {
    const text = values.get('string') ?? '';
    if (text === '' || this.#omittedDepth > 0 || this.#lastRun.isHidden) return;
    const [, font] = /font-family\s*:\s*["']?([^"';]+)/i.exec(values.get('style') ?? '') ?? [];
    const names =
      font === undefined ? undefined : ['ascii', 'hAnsi', 'eastAsia', 'cs'].map((slot) => [slot, font] as const);
    this.#onBlock([{ text, format: { ...plainFormat, fonts: names && new Map(names) } }]);
  }

  #symbol(values: ReadonlyMap<string, string>): void {
    const code = Number.parseInt(values.get('char') ?? '', 16);
    const font = values.get('font') ?? '';
    if (code <= 0x10ffff)
      this.#add(
        String.fromCodePoint(code),
        new Map([
          ['ascii', font],
          ['hAnsi', font],
          ['eastAsia', font],
          ['cs', font],
        ]),
      );
  }

  #alternative(tag: XmlTag): void {
    if (tag.kind === 'empty') return;
    const isOpen = tag.kind === 'open';
    if (tag.local === 'AlternateContent') {
      if (isOpen) this.#taken.push(false);
      else this.#taken.pop();
      return;
    }
    if (!isOpen) {
      if (this.#omitted.pop() === true) this.#omittedDepth--;
      return;
    }
    const wasTaken = this.#taken.at(-1) === true;
    const required =
      tag.local === 'Choice' ? (attributesOf(this.#xml, tag).get('Requires') ?? '').trim().split(/\s+/) : [];
    const isOmitted = wasTaken || !required.every((prefix) => understood.test(prefix));
    this.#omitted.push(isOmitted);
    if (isOmitted) this.#omittedDepth++;
    else if (this.#taken.length > 0) this.#taken[this.#taken.length - 1] = true;
  }
}
