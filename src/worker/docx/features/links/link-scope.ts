import { attributeOf, decodeEntities, type XmlTag } from '../../package/xml-tokens.ts';

interface OpenField {
  instruction: string;
  isLink: boolean;
}

const isLink = (instruction: string) => /^\s*HYPERLINK\b/i.test(instruction);

/** Follows the links of one part tag by tag: hyperlinks, and the results of fields that link. */
export class LinkScope {
  readonly #xml: string;
  readonly #fields: OpenField[] = [];
  readonly #simpleFields: boolean[] = [];
  #links = 0;
  #textStart = -1;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** Whether what follows the last tag stands in a link. */
  get isInside(): boolean {
    return this.#links > 0;
  }

  visit(tag: XmlTag): void {
    if (tag.local === 'hyperlink') {
      if (tag.kind !== 'empty') this.#links += tag.kind === 'open' ? 1 : -1;
    } else if (tag.local === 'fldSimple') this.#simpleField(tag);
    else if (tag.local === 'instrText') this.#instruction(tag);
    else if (tag.local === 'fldChar' && tag.kind !== 'close')
      this.#fieldChar(attributeOf(this.#xml, tag, 'fldCharType'));
  }

  #simpleField(tag: XmlTag): void {
    if (tag.kind === 'open') {
      const links = isLink(attributeOf(this.#xml, tag, 'instr') ?? '');
      this.#simpleFields.push(links);
      if (links) this.#links++;
    } else if (tag.kind === 'close' && this.#simpleFields.pop() === true) this.#links--;
  }

  #instruction(tag: XmlTag): void {
    const field = this.#fields.at(-1);
    if (tag.kind === 'open') this.#textStart = tag.end;
    else if (tag.kind === 'close' && field !== undefined)
      field.instruction += decodeEntities(this.#xml.slice(this.#textStart, tag.start));
  }

  #fieldChar(type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === 'begin') this.#fields.push({ instruction: '', isLink: false });
    else if (type === 'separate' && field !== undefined && !field.isLink && isLink(field.instruction)) {
      field.isLink = true;
      this.#links++;
    } else if (type === 'end' && this.#fields.pop()?.isLink === true) this.#links--;
  }
}
