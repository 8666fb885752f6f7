import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';

export interface StyleFacts {
  /** Whether the defaults or the default style name a language. */
  readonly hasLanguage: boolean;
  /** Outline level of a paragraph style from 1; undefined for text. */
  levelOf(styleId: string): number | undefined;
}

interface Style {
  level: number | undefined;
  basedOn: string | undefined;
}

const maxLevel = 9;
const maxBases = 20;

/** Reads the part of styles (ECMA-376 part 1, 17.7). */
export function readStyleFacts(xml: string): StyleFacts {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  let isDefault = false;
  let hasLanguage = false;
  scanXmlTags(xml, (tag) => {
    const { local, kind } = tag;
    if (local === 'docDefaults') isDefault = kind === 'open';
    if (local === 'style') {
      style = kind === 'open' ? { level: undefined, basedOn: undefined } : undefined;
      isDefault = kind === 'open' && ['1', 'true', 'on'].includes(attributeOf(xml, tag, 'default') ?? '');
      if (style !== undefined) styles.set(attributeOf(xml, tag, 'styleId') ?? '', style);
    }
    if (kind === 'close') return;
    if (local === 'lang' && isDefault && (attributeOf(xml, tag, 'val') ?? '') !== '') hasLanguage = true;
    if (local === 'outlineLvl' && style !== undefined) style.level = toLevel(attributeOf(xml, tag, 'val'));
    if (local === 'basedOn' && style !== undefined) style.basedOn = attributeOf(xml, tag, 'val');
  });
  return {
    hasLanguage,
    levelOf(styleId) {
      let current = styles.get(styleId);
      for (let bases = 0; current !== undefined && bases < maxBases; bases++) {
        if (current.level !== undefined) return current.level > maxLevel ? undefined : current.level;
        current = current.basedOn === undefined ? undefined : styles.get(current.basedOn);
      }
      return undefined;
    },
  };
}

/** Converts `w:outlineLvl`, which counts from 0 and is 9 for text (ECMA-376 part 1, 17.3.1.20). */
export function toLevel(value: string | undefined): number | undefined {
  const level = Number(value ?? Number.NaN);
  return Number.isInteger(level) && level >= 0 ? level + 1 : undefined;
}
