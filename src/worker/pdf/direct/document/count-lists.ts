import { UnknownFeature } from '../unknown-feature.ts';
import type { ListLevel, Numbering } from './read-numbering.ts';
import type { NumberingReference } from './tree.ts';

export interface ListLabel {
  readonly level: ListLevel;
  readonly text: string;
}

/** Counts the paragraphs of lists in the order of the document. */
export interface ListCounter {
  /** The label of the next paragraph of a list; undefined for a list without labels. Throws UnknownFeature. */
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
  lowerLetter: toLetters,
  upperLetter: (number) => toLetters(number).toUpperCase(),
  lowerRoman: toRoman,
  upperRoman: (number) => toRoman(number).toUpperCase(),
};
const mostNumber = 700;

export function createListCounter(numbering: Numbering): ListCounter {
  /** The numbers of the levels of each list. */
  const counts = new Map<string, number[]>();
  return {
    next({ id, level }) {
      const own = numbering.levelOf(id, level);
      if (own === undefined) return undefined;
      if (own.numberFormat === 'bullet') return { level: own, text: own.text };
      const numbers = counts.get(own.list) ?? [];
      counts.set(own.list, numbers);
      if (numbers.length < level) throw new UnknownFeature('a list that begins below its first level');
      numbers[level] = numbers.length > level ? (numbers[level] ?? 0) + 1 : own.start;
      numbers.length = level + 1;
      const text = own.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const number = numbers[at];
        const format = formats[numbering.levelOf(id, at)?.numberFormat ?? ''];
        if (number === undefined || number < 1 || number > mostNumber || format === undefined)
          throw new UnknownFeature('the numbers of a list');
        return format(number);
      });
      return { level: own, text };
    },
  };
}
