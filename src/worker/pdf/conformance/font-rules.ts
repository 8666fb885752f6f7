import { rule } from './rule.ts';

export const fontRules = {
  'font-dictionary': rule('The dictionary of a font is incomplete.', { a1: '6.3.2', a2: '6.2.11.2' }),
  'font-embedded': rule('A font is not embedded.', {
    a1: '6.3.4',
    a2: '6.2.11.4.1',
    ua: '7.21.4.1',
    matterhorn: '31-009',
  }),
  'font-program': rule('An embedded font is damaged or not of the type that its dictionary names.', {
    a1: '6.3.4',
    a2: '6.2.11.2',
    ua: '7.21.4.1',
    matterhorn: '31-009',
  }),
  'font-glyphs': rule('An embedded font lacks a character that the text shows.', {
    a1: '6.3.5',
    a2: '6.2.11.4.1',
    ua: '7.21.4.1',
    matterhorn: '31-011',
  }),
  'font-notdef': rule('The text shows a character that no installed font has, so a box is printed.', {
    a2: '6.2.11.8',
    ua: '7.21.8',
    matterhorn: '31-030',
  }),
  'font-widths': rule('The widths in the dictionary of a font differ from those of the embedded font.', {
    a1: '6.3.6',
    a2: '6.2.11.5',
    ua: '7.21.5',
    matterhorn: '31-016',
  }),
  'font-character-set': rule(
    'The list of the characters of an embedded subset (CIDSet, CharSet) is missing or wrong.',
    {
      a1: '6.3.5',
      a2: '6.2.11.4.2',
      ua: '7.21.4.2',
      matterhorn: '31-012 to 31-015',
    },
  ),
  'font-collection': rule('The character collections of a composite font and of its encoding differ.', {
    a1: '6.3.3.1',
    a2: '6.2.11.3.1',
    ua: '7.21.3.1',
    matterhorn: '31-001 to 31-003',
  }),
  'font-glyph-map': rule('A composite TrueType font does not say which glyph a character has (CIDToGIDMap).', {
    a1: '6.3.3.2',
    a2: '6.2.11.3.2',
    ua: '7.21.3.2',
    matterhorn: '31-004, 31-005',
  }),
  'font-cmap': rule('The encoding of a composite font (CMap) is neither predefined nor embedded.', {
    a1: '6.3.3.3',
    a2: '6.2.11.3.3',
    ua: '7.21.3.3',
    matterhorn: '31-006 to 31-008',
  }),
  'font-encoding': rule('The encoding of a TrueType font does not fit its kind.', {
    a1: '6.3.7',
    a2: '6.2.11.6',
    ua: '7.21.6',
    matterhorn: '31-017 to 31-026',
  }),
  'text-unicode': rule('The Unicode value of a character of the text is not known.', {
    u2: '6.2.11.7.2',
    ua: '7.21.7',
    matterhorn: '31-027, 10-001',
  }),
  'text-unicode-value': rule('A character of the text has the Unicode value 0, U+FEFF or U+FFFE.', {
    u2: '6.2.11.7.2',
    ua: '7.21.7',
    matterhorn: '31-028, 31-029',
  }),
} as const;
