import { relationshipNamespaces } from '@docmill/word/namespaces';
import type { DocxPackage } from '../../package/open-package.ts';
import type { PackageAdditions } from '../render/package-additions.ts';
import type { PropertyList } from './property-list.ts';
import { stylesPartOf, type TemplateStyles, withStyle } from './template-styles.ts';

/** The position at which a link is written. */
export interface LinkPlace {
  readonly partName: string;
  readonly mayLink: boolean;
}

export const linkEnd = '</w:hyperlink>';

/**
 * Hyperlinks of one render. They share a character style: the template's, or an added copy of Word's. Without a character
 * style, LibreOffice writes no link into the PDF.
 */
export class Hyperlinks {
  readonly #source: DocxPackage;
  readonly #additions: PackageAdditions;
  readonly #styles: () => TemplateStyles;
  #isStrict: boolean | undefined;
  #addedId: string | undefined;

  constructor(source: DocxPackage, additions: PackageAdditions, styles: () => TemplateStyles) {
    this.#source = source;
    this.#additions = additions;
    this.#styles = styles;
  }

  /** The start tag of a link to a validated address; undefined where no link is allowed. */
  open(url: string, { partName, mayLink }: LinkPlace): string | undefined {
    if (!mayLink) return undefined;
    const id = this.#additions.addHyperlink(partName, url);
    this.#isStrict ??= this.#additions.isStrict;
    return `<w:hyperlink xmlns:r="${this.#isStrict ? relationshipNamespaces.strict : relationshipNamespaces.transitional}" r:id="${id}" w:history="1">`;
  }

  /** The properties of a run in a link: the link style, or blue and underlined if there is none. */
  runProperties(base: PropertyList): PropertyList {
    const styleId = this.#styleId();
    if (styleId === undefined) return base.with({ color: '<w:color w:val="0563C1"/>', u: '<w:u w:val="single"/>' });
    return base.with({ rStyle: `<w:rStyle w:val="${styleId}"/>`, color: undefined, u: undefined });
  }

  /** The styles part, if a style was added to it. */
  changedParts(): ReadonlyMap<string, Buffer> {
    if (this.#addedId === undefined) return new Map();
    const style =
      `<w:style w:type="character" w:styleId="${this.#addedId}"><w:name w:val="Hyperlink"/><w:uiPriority w:val="99"/>` +
      '<w:unhideWhenUsed/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>';
    return withStyle(this.#source, style);
  }

  /** Undefined for a template without styles. */
  #styleId(): string | undefined {
    const styles = this.#styles();
    const known = styles.find('character', 'hyperlink')?.id ?? this.#addedId;
    if (known !== undefined || stylesPartOf(this.#source) === undefined) return known;
    this.#addedId = styles.hasId('Hyperlink') ? 'HyperlinkOfData' : 'Hyperlink';
    return this.#addedId;
  }
}
