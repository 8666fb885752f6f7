import { afterAll, describe, expect, test } from 'vitest';
import type { ClaimedDocument, ClaimedFont } from '../../../../src/shared/domain/documents/document-record.ts';
import { embedFonts, groupFonts } from '../../../../src/worker/documents/account-fonts.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { buildFont, type FontInput } from '../../../support/documents/font-builder.ts';
import { fontsOf, inspect, officePid, type TestPool, until } from './office-fixture.ts';
import { engines, newDocxPool, poolForTest, useOffice } from './pool-for-test.ts';

/** Kirat Rai, in Unicode since 2024: no font of the system has it. */
const rare = '\u{16D40}';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ';

const docx = newDocxPool();
afterAll(() => docx.close());

/** The fonts of an account, as a claim has them, with the files behind them. */
class Account {
  readonly #files = new Map<string, Uint8Array>();
  readonly fonts: ClaimedFont[] = [];
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  async add(input: FontInput): Promise<this> {
    const { report, file } = await docx.inspectFont(buildFont({ characters: letters, ...input }));
    const objectKey = `fonts/${this.#id}/${this.fonts.length}`;
    const { familyNames, fullName, style } = report;
    this.#files.set(objectKey, file);
    const checksums = { checksum: '', uploadedChecksum: '' };
    this.fonts.push({ id: objectKey, familyNames, fullName, style, objectKey, ...checksums, sizeBytes: file.length });
    return this;
  }

  /** Makes the file of the last font disappear. */
  lose(): void {
    this.#files.clear();
  }

  async print(office: TestPool, body: string, parts: Readonly<Record<string, string>> = {}) {
    const document = { accountId: this.#id, accountFonts: this.fonts } as unknown as ClaimedDocument;
    const fonts = groupFonts(document);
    const rendered = await docx.render({
      templateKey: `${this.#id} ${body}`,
      template: buildDocx({ body, parts }),
      data: Buffer.from('{"x": "x"}'),
      target: 'pdf',
      accountFonts: fonts.families,
    });
    const load = async (font: ClaimedFont) => this.#files.get(font.objectKey);
    const made = await embedFonts(load, fonts, rendered);
    const { pdf } = await office.pool.convert({ docx: made.docx, fonts: made.fonts });
    return { pdf, fonts: await fontNames(pdf), warnings: made.warnings, embedded: made.fonts };
  }
}

function line(font: string, text: string, properties = ''): string {
  const named = `w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"`;
  return `<w:p><w:r><w:rPr><w:rFonts ${named}/>${properties}<w:sz w:val="80"/></w:rPr><w:t>${text}{x}</w:t></w:r></w:p>`;
}

/** The names of the fonts that are embedded in a PDF, without their subset tags. */
const fontNames = async (pdf: Uint8Array): Promise<string[]> =>
  (await fontsOf(pdf)).map((text) => (text.split(' ')[0] ?? '').replace(/^[A-Z]{6}\+/, '')).sort();

/** The darkness of the first page in parts of a million. */
async function inkOf(pdf: Uint8Array): Promise<number> {
  const picture = await inspect('pdftoppm', pdf, ['-gray', '-r', '30', '-singlefile']);
  const pixels = picture.subarray(picture.indexOf('255\n') + 4);
  return Math.round((pixels.reduce((sum, pixel) => sum + 255 - pixel, 0) / pixels.length / 255) * 1_000_000);
}

describe.each(engines)('in $name', ({ sofficePath }) => {
  const office = useOffice({ slots: 1, sofficePath });

  test('a font of the account is printed and embedded, under its own name', async () => {
    const account = await new Account('acc_a').add({ family: 'Acme Sans' });
    const { pdf, fonts } = await account.print(office, line('Acme Sans', 'Boxes'));
    expect(fonts).toEqual(['AcmeSans']);
    expect(Buffer.from(pdf).toString('latin1')).not.toContain('docmill');
    // Six boxes of 30 by 28 points on a page of 595 by 842.
    expect(await inkOf(pdf)).toBeGreaterThan(8_000);
  });

  test('each style has its own font, and names ignore case', async () => {
    const account = await new Account('acc_b').add({ family: 'Berg' });
    for (const style of ['Bold', 'Italic', 'Bold Italic'] as const) await account.add({ family: 'Berg', style });
    const styles = ['', '<w:b/>', '<w:i/>', '<w:b/><w:i/>'];
    const { fonts } = await account.print(office, styles.map((style) => line('BERG', 'Style', style)).join(''));
    expect(fonts).toEqual(['Berg', 'BergBold', 'BergBoldItalic', 'BergItalic']);
  });

  test('a document that names no font of the account gets none', async () => {
    const account = await new Account('acc_c').add({ family: 'Acme Sans' });
    const { fonts, embedded } = await account.print(office, line('Carlito', 'Plain'));
    expect(fonts).toEqual(['Carlito']);
    expect(embedded).toEqual([]);
  });

  test('the next document in the same slot, of another account, gets neither the font nor its characters', async () => {
    const owner = await new Account('acc_d').add({ family: 'Secret Sans', characters: `${letters}${rare}` });
    expect((await owner.print(office, line('Secret Sans', `Mine ${rare}`))).fonts).toEqual(['SecretSans']);
    const other = new Account('acc_e');
    const bodies = [line('Secret Sans', 'Theirs'), line('Carlito', `Any ${rare}`), line('Unknown', `Any ${rare}`)];
    for (const body of bodies) expect((await other.print(office, body)).fonts).not.toContain('SecretSans');
    const again = await other.print(office, `${line('Secret Sans', rare)}${line('Times New Roman', rare)}`);
    expect(again.fonts).not.toContain('SecretSans');
    expect((await owner.print(office, line('Secret Sans', `Again ${rare}`))).fonts).toEqual(['SecretSans']);
  });

  test('fonts of the same name stay apart in a slot, whether of two accounts or a replaced one, in either order', async () => {
    const narrow = await new Account('acc_f').add({ family: 'House', advance: 300 });
    const wide = await new Account('acc_g').add({ family: 'House', advance: 1500 });
    const body = line('House', 'mmmmm');
    const inks: number[] = [];
    for (const account of [narrow, wide, narrow, wide]) inks.push(await inkOf((await account.print(office, body)).pdf));
    const [first = 0, second = 0, third, fourth] = inks;
    expect([third, fourth]).toEqual([first, second]);
    expect(second).toBeGreaterThan(first * 4);
  });

  test('a font that may only be embedded for reading and printing is printed', async () => {
    const account = await new Account('acc_i').add({ family: 'Print Only', embedding: 4 });
    expect((await account.print(office, line('Print Only', 'x'))).fonts).toEqual(['PrintOnly']);
  });

  test('a font that was lost meanwhile is replaced, with a warning', async () => {
    const account = await new Account('acc_j').add({ family: 'Gone' });
    account.lose();
    const { fonts, warnings } = await account.print(office, line('Gone', 'text'));
    expect(fonts).toEqual([expect.not.stringContaining('Gone')]);
    expect(warnings).toMatchObject([{ code: 'font_deleted', message: expect.stringContaining('"Gone" was deleted') }]);
  });
});

test('a slot that holds many fonts is replaced', async () => {
  const office = await poolForTest();
  const account = await new Account('acc_k').add({ family: 'Heavy' });
  const before = await officePid(office);
  // Only the size that the worker reports counts. A real font of that size would slow the test down.
  for (const name of ['fonts/one', 'fonts/two']) {
    expect(await officePid(office)).toBe(before);
    const fonts = [{ name, sizeBytes: 40 * 1024 * 1024 }];
    await office.pool.convert({ docx: buildDocx({ body: line('Carlito', 'x') }), fonts });
  }
  await until(() => office.pool.status().restarts === 1);
  expect((await account.print(office, line('Heavy', 'x'))).fonts).toEqual(['Heavy']);
});
