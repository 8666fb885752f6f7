import { beforeAll, describe, expect, test } from 'vitest';
import { PrintableCharacters } from '../../../../src/worker/docx/glyphs/printable-characters.ts';
import { type InstalledFonts, listInstalledFonts } from '../../../../src/worker/pdf/office/installed-fonts.ts';
import { halfPoints, scriptSamples, scriptsPage } from '../../../../tools/pictures/scripts.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { fontsOf, inspect, textOf } from './office-fixture.ts';
import { engines, useOffice } from './pool-for-test.ts';

interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

async function wordsOf(pdf: Uint8Array): Promise<Word[]> {
  const html = await textOf(pdf, '-bbox');
  return [...html.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)</g)].map(
    ([, left, top, right, text = '']) => ({ text, left: Number(left), right: Number(right), top: Number(top) }),
  );
}

/** Pixels of colour on the first page, between two heights in points. */
async function colouredPixels(pdf: Uint8Array): Promise<number> {
  const picture = await inspect('pdftoppm', pdf, ['-r', '72', '-singlefile']);
  const [head = ''] = /^P6\s+\d+\s+\d+\s+255\s/.exec(picture.toString('latin1', 0, 40)) ?? [];
  let count = 0;
  for (let at = head.length; at + 2 < picture.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = picture.subarray(at, at + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 80) count++;
  }
  return count;
}

const paragraph = (text: string, format = '') =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/>${format}<w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const plain = (text: string) => text.normalize('NFC').replace(/[\s\u200b-\u200f\u202a-\u202e]/g, '');

describe.each(engines)('$name', ({ sofficePath }) => {
  const hasColour = sofficePath === undefined;
  const office = useOffice({ sofficePath });
  let fonts: InstalledFonts;
  let pdf: Uint8Array;

  beforeAll(async () => {
    const listed = await listInstalledFonts(sofficePath);
    if (listed === undefined) throw new Error('fontconfig is missing');
    fonts = listed;
    pdf = (await office.pool.convert({ docx: await scriptsPage() })).pdf;
  });

  const isPrinted = (text: string) => {
    const printable = new PrintableCharacters('all', fonts.coverage.ranges);
    return [...text.matchAll(/./gsu)].every(({ index }) => printable.printsAt(text, index));
  };

  test.each(scriptSamples.filter(({ script }) => hasColour || script !== 'Zsye'))(
    'prints $name with an embedded font that has it',
    async ({ text, script, font }) => {
      expect(fonts.fonts.flatMap(({ scripts }) => scripts)).toContain(script);
      expect(isPrinted(text)).toBe(true);
      const list = await fontsOf(pdf);
      // The older version takes any font with the characters, and so draws Chinese and Korean in Japanese forms.
      const own = hasColour || !/CJK/.test(font.source) ? font : /CJK/;
      const lines = list.filter((entry) => own.test(entry.replace(/\s+/g, ' ').replace('Type 3', 'Type3')));
      expect(lines).not.toEqual([]);
      for (const entry of lines) expect(entry).toMatch(/\s(?:yes|no) +(?:yes|no) +yes +\d+ +0$/);
      for (const entry of list) expect(entry).toMatch(/Type 3|\syes +(?:yes|no) +yes +\d+ +0$/);
    },
  );

  test('keeps the text of each sentence, right-to-left ones in reading order', async () => {
    const text = plain(await textOf(pdf, '-raw'));
    for (const { script, text: sample } of scriptSamples)
      if (script !== 'Zsye') for (const word of sample.split(/[\s،,，。.]+/)) expect(text).toContain(plain(word));
  });

  test('breaks Thai and Chinese, which have no spaces, where a line is full', async () => {
    const words = await wordsOf(pdf);
    const marginPt = 14;
    // A full stop may hang over the end of a line.
    for (const { right } of words) expect(right).toBeLessThan(90 * 2.835 - marginPt + halfPoints / 2);
    for (const { script, text } of scriptSamples.filter(({ script: of }) => /Hans|Hant|Jpan|Thai/.test(of))) {
      const own = words.filter((word) => word.text.length > 2 && plain(text).includes(plain(word.text)));
      expect(new Set(own.map(({ top }) => Math.round(top))).size, script).toBeGreaterThan(1);
    }
  });

  test('joins the letters of Arabic and the conjuncts of Devanagari', async () => {
    const widthOf = async (text: string, format = '') => {
      const words = await wordsOf(
        (await office.pool.convert({ docx: buildDocx({ body: paragraph(text, format) }) })).pdf,
      );
      return Math.max(...words.map(({ right }) => right)) - Math.min(...words.map(({ left }) => left));
    };
    const apart = (text: string) => [...text].join('\u200c');
    expect(await widthOf('سسسس', '<w:rtl/>')).toBeLessThan((await widthOf(apart('سسسس'), '<w:rtl/>')) * 0.9);
    expect(await widthOf('क्ष')).toBeLessThan((await widthOf('क्\u200cष')) * 0.9);
  });

  test('prints right-to-left sentences from the right', async () => {
    const words = await wordsOf(pdf);
    for (const [first, second] of [
      ['מזג', 'האוויר'],
      ['الطقس', 'جميل'],
    ] as const) {
      // With positions, pdftotext writes the letters from left to right.
      const shown = (text: string) => words.find((word) => word.text.includes([...text].reverse().join('')));
      const [a, b] = [shown(first), shown(second)];
      expect(a?.left).toBeGreaterThan(b?.right ?? Number.POSITIVE_INFINITY);
    }
  });

  test('prints emoji in colour if it can, and otherwise with a font of shapes or not at all, which is reported', async () => {
    const colour = await colouredPixels(pdf);
    if (hasColour) {
      expect(colour).toBeGreaterThan(200);
      return;
    }
    expect(colour).toBe(0);
    expect(fonts.families).not.toContain('Noto Color Emoji');
    const { pdf: symbols } = await office.pool.convert({ docx: buildDocx({ body: paragraph('☎ ❤') }) });
    expect((await fontsOf(symbols)).join()).not.toContain('Emoji');
    expect(isPrinted('☎ ❤')).toBe(true);
    expect(isPrinted('🦄')).toBe(false);
  });
});
