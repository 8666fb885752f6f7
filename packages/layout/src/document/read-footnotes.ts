import { UnknownFeature } from '../unknown-feature.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { Block, Footnote, Inline } from './tree.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** The footnotes of a document (ECMA-376 part 1, 17.11), numbered in the order of their references. */
export interface Footnotes {
  /** The note of a `w:footnoteReference`. Throws UnknownFeature. */
  refer(reference: XmlElement): Footnote;
}

export interface FootnoteSource {
  readonly styles: StyleSheet;
  /** Whether the document has settings for footnotes. */
  readonly hasOptions: boolean;
  /** All `w:footnote` elements. */
  all(): readonly XmlElement[];
  /** Reads the content of a note with this number. */
  readBlocks(note: XmlElement, number: number): readonly Block[];
}

export function createFootnotes({ styles, hasOptions, all, readBlocks }: FootnoteSource): Footnotes {
  let number = 0;
  return {
    refer(reference) {
      if (reference.attributes.size !== 1) throw new UnknownFeature('a footnote with a mark of its own');
      if (hasOptions) throw new UnknownFeature('settings of footnotes');
      const notes = all();
      if (number === 0) requireUsualSeparator(notes);
      const id = reference.attributes.get('w:id');
      const note = notes.find((one) => one.attributes.get('w:id') === id);
      if (note === undefined || note.attributes.has('w:type')) throw new UnknownFeature('a footnote that is missing');
      number += 1;
      const blocks = readBlocks(note, number);
      if (blocks.length === 0 || blocks.some(({ kind }) => kind === 'table'))
        throw new UnknownFeature('a footnote with a table');
      return { number, blocks, separator: styles.paragraphStyle(styles.defaultParagraph).run };
    },
  };
}

/** Throws UnknownFeature unless the separator above notes is a plain rule. */
function requireUsualSeparator(notes: readonly XmlElement[]): void {
  const separator = notes.find((note) => note.attributes.get('w:type') === 'separator');
  const [paragraph, ...others] = separator?.children ?? [];
  const runs = paragraph?.children.filter(({ name }) => name !== 'w:pPr') ?? [];
  const content = runs.flatMap(({ children }) => children).filter(({ name }) => name !== 'w:rPr');
  const isUsual = others.length === 0 && content.length === 1 && content[0]?.name === 'w:separator';
  if (separator !== undefined && !isUsual) throw new UnknownFeature('another separator of footnotes');
}

/**
 * Throws UnknownFeature unless the number of a footnote is superscript by the usual style alone: LibreOffice formats it
 * by that style, and ignores the run's own properties.
 */
export function requireNoteStyle(properties: XmlElement | undefined, styles: StyleSheet): void {
  const style = properties && childOf(properties, 'w:rStyle')?.attributes.get('w:val');
  const format = style === undefined ? {} : styles.characterStyle(style);
  const isUsual = properties?.children.length === 1 && styles.nameOf(style ?? '') === 'footnote reference';
  if (!isUsual || Object.keys(format).length !== 1 || format.position !== 'superscript')
    throw new UnknownFeature('the number of a footnote in another format');
}

/**
 * No line breaks between one of these and a number, as Writer does not break before the mark of a note (UAX 14, class
 * CM).
 */
const boundBefore = /[\p{L}\d.,;:)%"”’]$/u;
const boundBehind = /^(?:$|[ .,;:)])/;

/** Throws UnknownFeature for a note number next to which lines may break differently than next to digits. */
export function requireBoundNumbers(inlines: readonly Inline[], numbers: ReadonlySet<number>): void {
  const textAt = (index: number): string => {
    const inline = inlines[index];
    return inline?.kind === 'text' ? inline.text : '';
  };
  for (const index of numbers) {
    const isBound = boundBefore.test(textAt(index - 1));
    if (!isBound || !(numbers.has(index + 1) || boundBehind.test(textAt(index + 1))))
      throw new UnknownFeature('a footnote that is not after a word');
  }
}
