import type { DocxPackage } from '../../package/open-package.ts';
import { stylesPartOf, type TemplateStyles, withStyle } from './template-styles.ts';

/**
 * The character style of links: that of the template, else one that is added as Word adds it. Without a character style
 * LibreOffice writes no link into the PDF.
 */
export class LinkStyle {
  readonly #source: DocxPackage;
  readonly #styles: TemplateStyles;
  #addedId: string | undefined;

  constructor(source: DocxPackage, styles: TemplateStyles) {
    this.#source = source;
    this.#styles = styles;
  }

  /** Undefined for a template that has no styles at all. */
  id(): string | undefined {
    const known = this.#styles.find('character', 'hyperlink')?.id ?? this.#addedId;
    if (known !== undefined || stylesPartOf(this.#source) === undefined) return known;
    this.#addedId = this.#styles.hasId('Hyperlink') ? 'HyperlinkOfData' : 'Hyperlink';
    return this.#addedId;
  }

  /** The part with the style that was added. */
  changed(): ReadonlyMap<string, Buffer> {
    if (this.#addedId === undefined) return new Map();
    const style =
      `<w:style w:type="character" w:styleId="${this.#addedId}"><w:name w:val="Hyperlink"/><w:uiPriority w:val="99"/>` +
      '<w:unhideWhenUsed/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>';
    return withStyle(this.#source, style);
  }
}
