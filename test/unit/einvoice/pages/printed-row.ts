import { conventionsFor } from '../../../../src/worker/einvoice/pages/conventions.ts';

/** Words of ten points, each with a normal space between them. */
export function wordsOf(text: string) {
  let left = 0;
  return text.split(' ').map((word) => {
    const start = left;
    left += word.length * 5 + 2.5;
    return { text: word, left: start, right: left - 2.5, top: 0, bottom: 10, y: 10, sizePt: 10 };
  });
}

export const conventions = (locale: string) => {
  const [first] = conventionsFor(locale);
  if (first === undefined) throw new Error(`no conventions for ${locale}`);
  return first;
};
