import { decodeEntities, scanXml, type XmlSpan, type XmlTag } from '../package/xml-tokens.ts';
import { attributesOf, type FontNames, type RunFormat } from './requested-font.ts';

export type PartKind = 'story' | 'drawing' | 'svg';

/** Text with one format, as it is printed. */
export interface ShownText {
  readonly text: string;
  readonly format: RunFormat;
}

/** Content that LibreOffice reads when it is offered with a fallback (ECMA-376 part 3, 10.2.1). */
const understood = /^(?:wp[scgi]|wp14|w1[0-9]|a14|c14|v)$/;

const textElements: Readonly<Record<PartKind, ReadonlySet<string>>> = {
  story: new Set(['t', 'delText']),
  drawing: new Set(['t', 'v']),
  svg: new Set(['text']),
};
const blockElements: Readonly<Record<PartKind, ReadonlySet<string>>> = {
  story: new Set(['p']),
  drawing: new Set(['p', 'pt']),
  svg: new Set(['text']),
};

interface Run {
  fonts: FontNames | undefined;
  style: string | undefined;
  isHidden: boolean;
}

interface Block {
  style: string | undefined;
  readonly texts: ShownText[];
}

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
  readonly #blocks: Block[] = [{ style: undefined, texts: [] }];
  readonly #runs: Run[] = [plainRun];
  /** For each open Choice and Fallback: whether it is left out. For each AlternateContent: whether a choice was taken. */
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
    else if (kind !== 'close' && this.#oldFormat === 0) this.#format(tag);
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

  #add(text: string, fonts = this.#lastRun.fonts): void {
    const block = this.#blocks.at(-1);
    const format = { fonts, characterStyle: this.#lastRun.style, paragraphStyle: block?.style };
    block?.texts.push({ text, format });
  }

  #block(isOpen: boolean): void {
    if (isOpen) this.#blocks.push({ style: undefined, texts: [] });
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
    if (tag.local === 'pStyle') {
      const block = this.#blocks.at(-1);
      if (block !== undefined) block.style = values().get('val');
    } else if (run === plainRun) return;
    else if (tag.local === 'rFonts') run.fonts = values();
    else if (tag.local === 'rStyle') run.style = values().get('val');
    else if (tag.local === 'vanish') run.isHidden = !/^(?:0|false|off)$/.test(values().get('val') ?? '');
    else if (tag.local === 'sym' && this.#omittedDepth === 0 && !run.isHidden) this.#symbol(values());
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
