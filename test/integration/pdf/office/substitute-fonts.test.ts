import { substituteRules } from '@docmill/word/font-substitutes';
import { describe, expect, test } from 'vitest';
import { checkFonts } from '../../../../src/shared/fonts.ts';
import { listInstalledFonts } from '../../../../src/worker/pdf/office/installed-fonts.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { inspect } from './office-fixture.ts';
import { engines, useOffice } from './pool-for-test.ts';

/** A document whose paragraph `Q<n>` asks for the font n. */
function documentIn(fonts: readonly string[]): Buffer {
  const body = fonts.map(
    (font, i) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/></w:rPr><w:t>Q${i}</w:t></w:r></w:p>`,
  );
  return buildDocx({ body: body.join('') });
}

/** The fonts of the paragraphs in a PDF, such as `LiberationSans`. */
async function printedFonts(pdf: Uint8Array, count: number): Promise<string[]> {
  const xml = (await inspect('pdftohtml', pdf, ['-xml', '-i', '-stdout', '-fontfullname'])).toString();
  const fonts = new Map(
    [...xml.matchAll(/<fontspec id="(\d+)" [^>]*?family="([^"]*)"/g)].map(([, id, family]) => [id, family]),
  );
  const printed = new Map(
    [...xml.matchAll(/<text [^>]*font="(\d+)"[^>]*>(?:<[bi]>)*Q(\d+)</g)].map(([, id, n]) => [
      Number(n),
      fonts.get(id),
    ]),
  );
  return Array.from({ length: count }, (_, i) => (printed.get(i) ?? 'nothing').replace(/^[A-Z]{6}\+/, ''));
}

const toPostScript = (family: string) => family.replaceAll(' ', '');

describe.each(engines)('$name', ({ sofficePath }) => {
  const office = useOffice({ sofficePath });

  const print = async (fonts: readonly string[]) =>
    printedFonts((await office.pool.convert({ docx: documentIn(fonts) })).pdf, fonts.length);

  test.each([
    ['Calibri', 'Carlito'],
    ['Calibri Light', 'Carlito'],
    ['Cambria', 'Caladea'],
    ['Arial', 'LiberationSans'],
    ['Helvetica', 'LiberationSans'],
    ['Times', 'LiberationSerif'],
    ['Times New Roman Bold', 'LiberationSerif'],
    ['Courier', 'LiberationMono'],
    ['Consolas', 'DejaVuSansMono'],
    ['Menlo', 'DejaVuSansMono'],
    ['Segoe UI Semibold', 'LiberationSans'],
    ['Tahoma', 'LiberationSans'],
    ['Verdana', 'DejaVuSans'],
    ['Aptos Display', 'LiberationSans'],
    ['Open Sans', 'NotoSans'],
    ['Georgia', 'Caladea'],
    ['Garamond', 'LiberationSerif'],
    ['Franklin Gothic Medium Cond', 'LiberationSansNarrow'],
    ['Cambria Math', 'Caladea'],
    ['Symbol', 'OpenSymbol'],
    ['Acme Mono', 'LiberationMono'],
    ['Monotype Corsiva Sans', 'LiberationSans'],
    ['Segoe UI Mono', 'LiberationMono'],
    ['Acme Sans Pro', 'LiberationSans'],
    ['Acme Serif', 'LiberationSerif'],
    ['MS Mincho', 'NotoSerifCJK'],
    ['Microsoft YaHei', 'NotoSansCJK'],
  ])('%s is printed in a font of its kind: %s', async (font, expected) => {
    const [printed = ''] = await print([font]);
    expect(printed.replace(/-Regular.*$/, '').replace(/(CJK)\w\w$/, '$1')).toBe(expected);
  });

  test('what the upload reports as substitute is printed', async () => {
    const installed = await listInstalledFonts(sofficePath);
    const names = substituteRules.filter(({ test }) => test === 'is').map(({ name }) => name);
    // Of Wingdings, only its symbols are printed with the substitute.
    const reports = checkFonts([...names, 'Georgia Pro', 'Roboto Slab Mono'], installed?.families).filter(
      ({ name }) => !name.startsWith('Wingdings'),
    );
    const printed = await print(reports.map(({ name }) => name));
    const expected = reports.map(({ name, status, substitute }) => [
      name,
      toPostScript(status === 'available' ? name : (substitute ?? 'none')),
    ]);
    // The older version prints Japanese forms.
    const toFamily = (font: string) => font.replace(/-Regular.*$/, '').replace(/(?<=CJK)\w\w$/, '');
    expect(reports.map(({ name }, i) => [name, toFamily(printed[i] ?? '')])).toEqual(
      expected.map(([name, font = '']) => [name, toFamily(font)]),
    );
  });

  test('an installed font is printed, whatever its name contains', async () => {
    expect(await print(['DejaVu Sans Mono', 'DejaVu Serif', 'Noto Serif'])).toEqual([
      'DejaVuSansMono',
      'DejaVuSerif',
      'NotoSerif-Regular',
    ]);
  });
});
