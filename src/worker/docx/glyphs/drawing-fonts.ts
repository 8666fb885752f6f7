import { readThemeFonts, type ThemeFonts } from '@docmill/word/theme-fonts';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { AccountCharacters } from '../account-fonts/characters-of.ts';
import type { DocxPackage } from '../package/open-package.ts';
import type { RunFormat } from './requested-font.ts';
import { slotOf } from './script-slot.ts';

/** `+mn-lt` is the theme's minor font for Latin text (ECMA-376 part 1, 20.1.10.81). */
const themed = /^\+(mn|mj)-(lt|ea|cs)$/;
const themeSlots: Readonly<Record<string, string>> = { lt: 'HAnsi', ea: 'EastAsia', cs: 'Bidi' };

/** Finds the font that the text of a chart or diagram requests. */
export class DrawingFonts {
  readonly #source: DocxPackage;
  readonly #xml: string;
  readonly #ofAccount: AccountCharacters;
  #theme: ThemeFonts | undefined;
  #named: readonly string[] | undefined;

  constructor(source: DocxPackage, xml: string, ofAccount: AccountCharacters) {
    this.#source = source;
    this.#xml = xml;
    this.#ofAccount = ofAccount;
  }

  /**
   * The font of the text or its paragraph. Otherwise an account font that the part names and that has the character,
   * because an axis or a legend takes its font from properties elsewhere in the chart.
   */
  fontOf(character: string, { fonts }: RunFormat): string | undefined {
    const own = fonts?.get(slotOf(character)) ?? fonts?.get('ascii');
    if (own !== undefined && own !== '') return this.#withoutTheme(own);
    this.#named ??= this.#readNames();
    const code = character.codePointAt(0) ?? 0;
    return this.#named.find((font) => this.#ofAccount.has(font, code));
  }

  #withoutTheme(name: string): string | undefined {
    const [, group, script = ''] = themed.exec(name) ?? [];
    if (group === undefined) return name;
    this.#theme ??= readThemeFonts(this.#source);
    return this.#theme.get(`${group === 'mn' ? 'minor' : 'major'}${themeSlots[script]}`);
  }

  #readNames(): readonly string[] {
    const names = new Set<string>();
    scanXmlTags(this.#xml, (tag) => {
      if (tag.kind !== 'close' && /^(?:latin|ea|cs)$/.test(tag.local))
        names.add(this.#withoutTheme(attributeOf(this.#xml, tag, 'typeface') ?? '') ?? '');
    });
    return [...names];
  }
}
