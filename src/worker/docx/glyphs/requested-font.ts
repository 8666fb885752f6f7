import { readThemeFonts, type ThemeFonts } from '@docmill/word/theme-fonts';
import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { stylesPartOf } from '../core/styles/template-styles.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { slotOf } from './script-slot.ts';

/** The attributes of `w:rFonts` by their local names. */
export type FontNames = ReadonlyMap<string, string>;

export interface RunFormat {
  readonly fonts: FontNames | undefined;
  readonly characterStyle: string | undefined;
  readonly paragraphStyle: string | undefined;
}

interface Style {
  fonts: FontNames | undefined;
  basedOn: string | undefined;
}

const wordDefault = 'Times New Roman';
const longestChain = 50;

/**
 * Finds the font that a document requests, by run, character style, paragraph style and defaults (ECMA-376 part 1,
 * 17.7.2).
 */
export class RequestedFonts {
  readonly #source: DocxPackage;
  #theme: ThemeFonts | undefined;
  #styles: ReadonlyMap<string, Style> | undefined;
  #defaults: FontNames | undefined;
  #defaultParagraph: string | undefined;

  constructor(source: DocxPackage) {
    this.#source = source;
  }

  fontOf(character: string, format: RunFormat): string {
    this.#styles ??= this.#readStyles();
    const slot = slotOf(character);
    return this.#inSlot(format, slot) ?? this.#inSlot(format, 'ascii') ?? wordDefault;
  }

  #inSlot(format: RunFormat, slot: string): string | undefined {
    return (
      this.#nameIn(format.fonts, slot) ??
      this.#ofStyle(format.characterStyle, slot) ??
      this.#ofStyle(format.paragraphStyle ?? this.#defaultParagraph, slot) ??
      this.#nameIn(this.#defaults, slot)
    );
  }

  #ofStyle(id: string | undefined, slot: string): string | undefined {
    let style = this.#styles?.get(id ?? '');
    for (let i = 0; style !== undefined && i < longestChain; i++) {
      const name = this.#nameIn(style.fonts, slot);
      if (name !== undefined) return name;
      style = this.#styles?.get(style.basedOn ?? '');
    }
    return undefined;
  }

  #nameIn(fonts: FontNames | undefined, slot: string): string | undefined {
    if (fonts === undefined) return undefined;
    this.#theme ??= readThemeFonts(this.#source);
    const themed = fonts.get(slot === 'cs' ? 'cstheme' : `${slot}Theme`);
    return (themed === undefined ? undefined : this.#theme.get(themed)) ?? (fonts.get(slot) || undefined);
  }

  #readStyles(): ReadonlyMap<string, Style> {
    const part = stylesPartOf(this.#source);
    const xml = part === undefined ? '' : (this.#source.readText(part) ?? '');
    const styles = new Map<string, Style>();
    let style: Style | undefined;
    let isInDefaults = false;
    scanXmlTags(xml, (tag) => {
      if (tag.local === 'docDefaults') isInDefaults = tag.kind === 'open';
      else if (tag.local === 'style') {
        style = undefined;
        if (tag.kind !== 'open') return;
        const values = attributesOf(xml, tag);
        style = { fonts: undefined, basedOn: undefined };
        styles.set(values.get('styleId') ?? '', style);
        const isDefault = values.get('type') === 'paragraph' && /^(?:1|true|on)$/.test(values.get('default') ?? '');
        if (isDefault) this.#defaultParagraph = values.get('styleId');
      } else if (tag.kind === 'close') return;
      else if (tag.local === 'rFonts') {
        if (isInDefaults) this.#defaults = attributesOf(xml, tag);
        else if (style !== undefined) style.fonts ??= attributesOf(xml, tag);
      } else if (tag.local === 'basedOn' && style !== undefined) style.basedOn = attributesOf(xml, tag).get('val');
    });
    return styles;
  }
}

/** The attributes of a tag by their local names. */
export function attributesOf(xml: string, tag: XmlTag): ReadonlyMap<string, string> {
  return new Map(readAttributes(xml, tag).map(({ local, value }) => [local, value]));
}
