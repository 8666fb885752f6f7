import { describe, expect, it } from 'vitest';
import { compareWords } from '../../../../src/admin/engine-check/compare/compare-words.ts';
import { parseFonts } from '../../../../src/admin/engine-check/compare/read-fonts.ts';
import { parseWords, type Word } from '../../../../src/admin/engine-check/compare/read-words.ts';

/** Words of ten points each on one line. */
function line(text: string, { page = 1, left = 50, top = 100 } = {}): Word[] {
  return text.split(' ').map((word, index) => {
    const x = left + index * 60;
    return { text: word, page, left: x, top, right: x + 50, bottom: top + 10 };
  });
}

const rules = { masks: [], movedPt: 1 };

describe('leaders of tabs', () => {
  const page = (...words: string[]): Word[] => [
    ...parseWords(
      `<page width="595" height="842">\n${words.map((word, i) => `<word xMin="${i * 100}" yMin="10" xMax="${i * 100 + 90}" yMax="20">${word}</word>`).join('\n')}`,
    ).words,
  ];

  it('do not count as words, alone or beside one, however many dots or lines they have', () => {
    const [long, short] = [
      page('Total', '.........', '500', '____', 'b'),
      page('Total', '.....', '500', '______', 'b'),
    ];
    expect(long.map(({ text }) => text)).toEqual(['Total', '500', 'b']);
    expect(compareWords(long, short, rules)).toMatchObject({ oldWords: 3, lost: 0, added: 0, moved: 0 });
    expect(page('Index.......7', 'x-----2').map(({ text }) => text)).toEqual(['Index7', 'x2']);
  });

  it('do not include ellipses and dashes', () => {
    expect(page('and...', '--', '1.000.000', '...').map(({ text }) => text)).toEqual([
      'and...',
      '--',
      '1.000.000',
      '...',
    ]);
  });
});

describe('words of two PDFs', () => {
  it('are equal when nothing has changed', () => {
    const words = line('The quick brown fox');
    expect(compareWords(words, words, rules)).toMatchObject({ lost: 0, added: 0, repaged: 0, moved: 0 });
  });

  it('are lost or added', () => {
    const found = compareWords(line('Please pay 500 EUR today'), line('Please pay EUR today'), rules);
    expect(found).toMatchObject({ lost: 1, added: 0, firstLost: [{ text: '500', page: 1 }] });
    expect(compareWords(line('a b'), line('a new b'), rules)).toMatchObject({ lost: 0, firstAdded: [{ text: 'new' }] });
  });

  it('of a line that moved by 2 points are moved', () => {
    const found = compareWords(line('Please pay'), line('Please pay', { top: 102 }), rules);
    expect(found.moved).toBe(2);
    expect(found.movedPtByPage.get(1)).toBe(2);
    expect(compareWords(line('Please pay'), line('Please pay', { top: 100.9 }), rules).moved).toBe(0);
  });

  it('are not moved when only their width has changed', () => {
    const [before] = line('Total');
    const after = { ...line('Total')[0], right: 104 };
    expect(compareWords([before as Word], [after as Word], rules).moved).toBe(0);
  });

  it('are not moved when only the metrics of their font are written differently, and one that moved besides is', () => {
    const before = line('One two three four five');
    const after = before.map((word) => ({ ...word, top: word.top - 3, bottom: word.bottom + 1 }));
    expect(compareWords(before, after, rules).moved).toBe(0);
    const others = after.map((word, index) => (index === 4 ? { ...word, top: 104, bottom: 118 } : word));
    expect(compareWords(before, others, rules)).toMatchObject({ moved: 1, farthest: [{ text: 'five', byPt: 7 }] });
  });

  it('on another page are repaged, not lost', () => {
    const found = compareWords([...line('one two'), ...line('three', { page: 2 })], line('one two three'), rules);
    expect(found).toMatchObject({ lost: 0, added: 0, repaged: 1, firstRepaged: [{ text: 'three', page: 2 }] });
  });

  it('that are split differently or come in another order are not lost', () => {
    expect(compareWords(line('A note here'), line('A no te here'), rules)).toMatchObject({ lost: 0, added: 0 });
    const [first = [], second = []] = [line('left column'), line('right column', { left: 300 })];
    expect(compareWords([...first, ...second], [...second, ...first], rules)).toMatchObject({
      lost: 0,
      added: 0,
      moved: 0,
    });
  });

  it('of the same text are paired with the nearest', () => {
    const amounts = line('10.00 10.00 total 10.00', { left: 50 });
    const [first = [], ...others] = amounts.map((word) => [word]);
    const reordered = [...others.flat(), ...first].map((word) => ({
      ...word,
      top: word.top + 3,
      bottom: word.bottom + 3,
    }));
    expect(compareWords(amounts, reordered, rules).farthest.map(({ byPt }) => byPt)).toEqual([3, 3, 3, 3]);
  });

  it('within a mask are ignored', () => {
    const mask = { page: 1, x: 100, y: 90, width: 60, height: 30 };
    const found = compareWords(line('Date 1.1.2026'), line('Date 2.1.2026'), { masks: [mask], movedPt: 1 });
    expect(found).toMatchObject({ oldWords: 1, lost: 0, added: 0 });
    expect(compareWords(line('Date 1.1.2026'), line('Date 2.1.2026'), rules).lost).toBe(1);
  });

  it('of texts without anything in common are compared in bounded time', () => {
    const many = (prefix: string) => Array.from({ length: 30_000 }, (_, i) => line(`${prefix}${i}`)[0] as Word);
    const found = compareWords(many('a'), many('b'), rules);
    expect(found).toMatchObject({ lost: 30_000, added: 30_000 });
    expect(found.firstLost.length).toBeLessThan(100);
  });
});

describe('the output of poppler', () => {
  it('is read with entities and several pages', () => {
    const { pages, words } = parseWords(`<page width="595.3" height="841.9">
      <word xMin="56.8" yMin="57.1" xMax="80.2" yMax="68.9">A&amp;B</word>
    </page>
    <page width="841.9" height="595.3">
      <word xMin="1" yMin="2" xMax="3" yMax="4">&lt;&#8364;&gt;</word>
    </page>`);
    expect(pages).toHaveLength(2);
    expect(words).toMatchObject([
      { text: 'A&B', page: 1, left: 56.8 },
      { text: '<€>', page: 2, bottom: 4 },
    ]);
  });

  it('names fonts without the prefix of their subset', () => {
    const output = `name                                 type              encoding         emb sub uni object ID
------------------------------------ ----------------- ---------------- --- --- --- ---------
BAAAAA+Carlito-Bold                  TrueType          WinAnsi          yes yes yes     12  0
CAAAAA+Noto Sans CJK JP              CID Type 0C       Identity-H       yes yes yes     17  0
Helvetica                            Type 1            WinAnsi          no  no  no      20  0
`;
    expect(parseFonts(output)).toEqual(['Carlito-Bold', 'Helvetica (not embedded)', 'Noto Sans CJK JP']);
  });
});
