import { describe, expect, it } from 'vitest';
import { compareWords } from '../../../../src/worker/pdf/compare/compare-words.ts';
import type { Word } from '../../../../src/worker/pdf/compare/read-words.ts';

const style = { sizePt: 10, font: 'Carlito', colour: '0 0 0 255', link: '' };

/** Words on one line, each fifty points wide. */
function line(text: string, { page = 1, left = 50, y = 100 } = {}): Word[] {
  return text.split(' ').map((word, index) => {
    const x = left + index * 60;
    return { ...style, text: word, page, left: x, right: x + 50, y };
  });
}

const rules = { masks: [], movedPt: 1 };

describe('the words of two PDFs', () => {
  it('are equal when nothing has changed', () => {
    const words = line('The quick brown fox');
    expect(compareWords(words, words, rules)).toMatchObject({ lost: 0, added: 0, repaged: 0, moved: 0 });
  });

  it('are lost or added', () => {
    const found = compareWords(line('Please pay 500 EUR today'), line('Please pay EUR today'), rules);
    expect(found).toMatchObject({ lost: 1, added: 0, firstLost: [{ text: '500', page: 1 }] });
    expect(compareWords(line('a b'), line('a new b'), rules)).toMatchObject({ lost: 0, firstAdded: [{ text: 'new' }] });
  });

  it('are moved if their line moved by 2 points', () => {
    const found = compareWords(line('Please pay'), line('Please pay', { y: 102 }), rules);
    expect(found.moved).toBe(2);
    expect(found.movedPtByPage.get(1)).toBe(2);
    expect(compareWords(line('Please pay'), line('Please pay', { y: 100.9 }), rules).moved).toBe(0);
  });

  it('are not moved if only their width changed', () => {
    const [before] = line('Total');
    const after = { ...line('Total')[0], right: 104 };
    expect(compareWords([before as Word], [after as Word], rules).moved).toBe(0);
  });

  it('are restyled if the font, size, colour or link changed', () => {
    const before = line('One two three four five');
    const styles = [{ font: 'Caladea' }, { sizePt: 10.5 }, { colour: '255 0 0 255', link: 'page 2' }, { sizePt: 10.1 }];
    const after = before.map((word, index) => ({ ...word, ...styles[index] }));
    const found = compareWords(before, after, rules);
    expect(found).toMatchObject({ restyled: 3, lost: 0, added: 0, moved: 0 });
    expect(found.firstRestyled).toEqual([
      { text: 'One', page: 1, styles: 'font' },
      { text: 'two', page: 1, styles: 'size' },
      { text: 'three', page: 1, styles: 'colour, link' },
    ]);
  });

  it('are repaged if they are on another page, and not lost', () => {
    const found = compareWords([...line('one two'), ...line('three', { page: 2 })], line('one two three'), rules);
    expect(found).toMatchObject({ lost: 0, added: 0, repaged: 1, firstRepaged: [{ text: 'three', page: 2 }] });
  });

  it('are not lost if they are divided differently or come in another order', () => {
    expect(compareWords(line('A note here'), line('A no te here'), rules)).toMatchObject({ lost: 0, added: 0 });
    const [first = [], second = []] = [line('left column'), line('right column', { left: 300 })];
    expect(compareWords([...first, ...second], [...second, ...first], rules)).toMatchObject({
      lost: 0,
      added: 0,
      moved: 0,
    });
  });

  it('are paired with the nearest equal word', () => {
    const amounts = line('10.00 10.00 total 10.00', { left: 50 });
    const [first = [], ...others] = amounts.map((word) => [word]);
    const reordered = [...others.flat(), ...first].map((word) => ({ ...word, y: word.y + 3 }));
    expect(compareWords(amounts, reordered, rules).farthest.map(({ byPt }) => byPt)).toEqual([3, 3, 3, 3]);
  });

  it('are ignored within a mask', () => {
    const mask = { page: 1, x: 100, y: 90, width: 60, height: 30 };
    const found = compareWords(line('Date 1.1.2026'), line('Date 2.1.2026'), { masks: [mask], movedPt: 1 });
    expect(found).toMatchObject({ oldWords: 1, lost: 0, added: 0 });
    expect(compareWords(line('Date 1.1.2026'), line('Date 2.1.2026'), rules).lost).toBe(1);
  });

  it('are compared in a bounded time if they have nothing in common', () => {
    const many = (prefix: string) => Array.from({ length: 30_000 }, (_, i) => line(`${prefix}${i}`)[0] as Word);
    const found = compareWords(many('a'), many('b'), rules);
    expect(found).toMatchObject({ lost: 30_000, added: 30_000 });
    expect(found.firstLost.length).toBeLessThan(100);
  });
});
