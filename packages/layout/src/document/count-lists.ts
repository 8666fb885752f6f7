import { UnknownFeature } from '../unknown-feature.ts';
import type { ListLevel, Numbering } from './read-numbering.ts';
import type { NumberingReference } from './tree.ts';

export interface ListLabel {
  readonly level: ListLevel;
  readonly text: string;
}

/** Counts the paragraphs of lists in document order. */
export interface ListCounter {
  /** The label of a list's next paragraph; undefined for a list without labels. Throws UnknownFeature. */
  next(reference: NumberingReference): ListLabel | undefined;
}

const toLetters = (number: number): string =>
  String.fromCodePoint(96 + (((number - 1) % 26) + 1)).repeat(Math.ceil(number / 26));

const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function toRoman(number: number): string {
  let [rest, text] = [number, ''];
  for (const [value, letters] of romans) {
    text += letters.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

/** ST_NumberFormat (17.18.59). */
const formats: Readonly<Record<string, (number: number) => string>> = {
  decimal: String,
  decimalZero: (number) => String(number).padStart(2, '0'),
  lowerLetter: toLetters,
  upperLetter: (number) => toLetters(number).toUpperCase(),
  lowerRoman: toRoman,
  upperRoman: (number) => toRoman(number).toUpperCase(),
};
const mostNumber = 3_999;

interface OpenLevel {
  /** The `w:numId` of the last paragraph. */
  readonly id: string;
  /** Undefined for a level that the list does not describe. */
  readonly number: number | undefined;
}

/**
 * `isStory` is true for a header or footer. LibreOffice restarts a list only once, either in the body or in one of
 * them.
 */
export function createListCounter(numbering: Numbering, isStory: boolean): ListCounter {
  const lists = new Map<string, OpenLevel[]>();
  /** The `w:numId` of the first paragraph of each list. */
  const firstIds = new Map<string, string>();
  /** The ids whose first paragraph has already restarted its list. */
  const restarted = new Set<string>();

  function startOf(id: string, level: number): number | undefined {
    return numbering.levelOf(id, level)?.start;
  }

  function beginsAnew(id: string, { restart }: ListLevel): boolean {
    if (restart === undefined) return false;
    if (isStory) throw new UnknownFeature('a list that begins anew in a header or footer');
    const isFirst = !restarted.has(id);
    restarted.add(id);
    return isFirst;
  }

  function count({ id, level }: NumberingReference, own: ListLevel): readonly OpenLevel[] {
    const { list, restart, start } = own;
    const levels = lists.get(list) ?? [];
    const firstId = firstIds.get(list) ?? id;
    lists.set(list, levels);
    firstIds.set(list, firstId);
    // A higher level without a paragraph counts as one, formatted like the level above it (Writer,
    // `SwNumberTreeNode::CreatePhantom`).
    while (levels.length < level) {
      const above = levels.at(-1)?.id ?? firstId;
      levels.push({ id: above, number: startOf(above, levels.length) });
    }
    const before = levels[level]?.number;
    const next = before === undefined ? start : before + 1;
    levels[level] = { id, number: beginsAnew(id, own) ? restart : next };
    levels.length = level + 1;
    return levels;
  }

  return {
    next(reference) {
      const own = numbering.levelOf(reference.id, reference.level);
      if (own === undefined) return undefined;
      const levels = count(reference, own);
      if (own.numberFormat === 'bullet') return { level: own, text: own.text };
      const text = own.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const number = levels[at]?.number;
        const name = numbering.levelOf(reference.id, at)?.numberFormat ?? '';
        const format = formats[name];
        if (number === undefined || number < 1 || number > mostNumber || format === undefined)
          throw new UnknownFeature('the numbers of a list');
        return own.isLegal && name !== 'decimalZero' ? String(number) : format(number);
      });
      return { level: own, text };
    },
  };
}
