import { TextEdits } from '@docmill/word/text-edits';
import { scanXml, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import { paragraphSeparator } from '../../language/text-marks.ts';
import { docxLimits } from '../../limits.ts';
import { tooLarge } from './render-budget.ts';
import { lineBreak } from './write-value.ts';

const separatorBytes = Buffer.from(paragraphSeparator);
const wordPart = /^word\/(?:document|header|footer|footnotes|endnotes|comments)[^/]*\.xml$/i;

/** Splits paragraphs at the paragraph separators in values: see the formatter `paragraphs`. */
export function splitParagraphs(parts: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> {
  const changed = new Map(parts);
  for (const [name, bytes] of parts) {
    if (!wordPart.test(name) || !bytes.includes(separatorBytes)) continue;
    changed.set(name, Buffer.from(new Splitter(bytes.toString('utf8')).split(), 'utf8'));
  }
  return changed;
}

interface OpenElement {
  readonly tag: XmlTag;
  /** The markup of `w:pPr` or `w:rPr`. */
  properties: string;
  /** The offset of that markup. */
  propertiesAt: number;
  /** The places at which a paragraph is split, with the markup that ends the elements inside it and begins them again. */
  readonly splits: { readonly at: number; readonly close: string; readonly open: string }[];
}

/** Elements that a paragraph separator ends and begins again. */
const repeatable = new Set(['t', 'r', 'hyperlink', 'ins', 'smartTag']);
const sectionProperties = /<(\w+:)?sectPr\b[\s\S]*<\/\1sectPr>|<(?:\w+:)?sectPr\b[^>]*\/>/;

class Splitter {
  readonly #xml: string;
  readonly #edits = new TextEdits();
  readonly #open: OpenElement[] = [];
  #added = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  split(): string {
    scanXml(
      this.#xml,
      (tag) => this.#visit(tag),
      ({ kind, start, end }) => {
        if (kind !== 'text') return;
        for (
          let at = this.#xml.indexOf(paragraphSeparator, start);
          at >= 0 && at < end;
          at = this.#xml.indexOf(paragraphSeparator, at + 1)
        )
          this.#separator(at);
      },
    );
    return this.#edits.apply(this.#xml);
  }

  #visit(tag: XmlTag): void {
    if (tag.kind === 'open') this.#open.push({ tag, properties: '', propertiesAt: 0, splits: [] });
    if (tag.kind !== 'close') return;
    const element = this.#open.pop();
    const parent = this.#open.at(-1);
    if (element === undefined) return;
    if (
      parent !== undefined &&
      ((tag.local === 'pPr' && parent.tag.local === 'p') || (tag.local === 'rPr' && parent.tag.local === 'r'))
    ) {
      parent.properties = this.#xml.slice(element.tag.start, tag.end);
      parent.propertiesAt = element.tag.start;
    }
    if (element.splits.length > 0) this.#writeSplits(element);
  }

  #separator(at: number): void {
    const first = this.#open.findLastIndex(({ tag }) => !repeatable.has(tag.local));
    const paragraph = this.#open[first];
    const inside = this.#open.slice(first + 1);
    if (paragraph?.tag.local !== 'p' || inside.at(-1)?.tag.local !== 't') {
      const isText = this.#open.at(-1)?.tag.local === 't';
      this.#edits.replace(at, at + 1, isText ? lineBreak : ' ');
      return;
    }
    const close = inside.map(({ tag }) => `</${tagName(this.#xml, tag)}>`).reverse();
    const open = inside.map(({ tag, properties }) => `${this.#xml.slice(tag.start, tag.end)}${properties}`);
    paragraph.splits.push({ at, close: close.join(''), open: open.join('') });
  }

  /** The properties of a section belong to the last paragraph. */
  #writeSplits({ tag, properties, propertiesAt, splits }: OpenElement): void {
    const name = tagName(this.#xml, tag);
    const section = sectionProperties.exec(properties);
    const plain = properties.replace(sectionProperties, '');
    if (section !== null) {
      const start = propertiesAt + section.index;
      this.#edits.replace(start, start + section[0].length);
    }
    for (const [index, { at, close, open }] of splits.entries()) {
      const own = index === splits.length - 1 ? properties : plain;
      const written = `${close}</${name}><${name}>${own}${open}`;
      this.#added += written.length;
      if (this.#added > docxLimits.outputBytes) throw tooLarge('');
      this.#edits.replace(at, at + 1, written);
    }
  }
}
