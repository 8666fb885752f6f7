import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { declarationsMark, writeDeclarations } from '../../../../../clients/cli/src/types/write-declarations.ts';

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const text = { type: 'string' };
const invoice = object(
  {
    number: text,
    lines: { type: 'array', items: object({ sku: text, price: { type: 'number' } }, ['sku']) },
    logo: {
      anyOf: [
        text,
        { ...object({ data: text, asset: text }), anyOf: [{ required: ['data'] }, { required: ['asset'] }] },
      ],
    },
    rates: { type: 'object', additionalProperties: { type: 'number' } },
    'unit price': { description: 'In cents */ as a number', type: 'number' },
  },
  ['number', 'lines'],
);
const templates = [
  { id: 'tpl_1', name: 'invoice.docx', schema: invoice },
  // Names of types of the client, of the file itself and of every program.
  ...['document.docx', 'batch.docx', 'docmill templates.docx', 'string.docx', 'object.docx'].map((name, index) => ({
    id: `tpl_2${index}`,
    name,
    schema: object({ title: text }, ['title']),
  })),
  { id: 'tpl_3', name: 'offer.docx', schema: object({ a: text }, ['a']) },
  { id: 'tpl_4', name: 'offer.docx', schema: object({ b: text }, ['b']) },
  { id: 'tpl_5', name: '2026 */ "x"\n.docx', schema: object({}) },
  { id: 'tpl_6', name: 'old.docx', schema: undefined },
  { id: 'tpl_7', name: 'huge.docx', schema: { $comment: 'cut', ...object({ a: text }, ['a']) } },
  { id: 'tpl_8', name: 'words.docx', schema: object(Object.fromEntries(odd().map((name) => [name, text])), odd()) },
];

function odd(): string[] {
  return [
    'new',
    'readonly',
    'constructor',
    'get',
    'async',
    '__proto__',
    '1a',
    'a-b',
    'a"b',
    'größe',
    '\u2028',
    '*/',
    '',
  ];
}

describe('the declarations of templates', () => {
  const { text: written, typeNames, repeatedNames } = writeDeclarations(templates);

  test('begin with the line by which the file is recognized', () => {
    expect(written.startsWith(`${declarationsMark}\n`)).toBe(true);
  });

  test('name each type once, after its template', () => {
    expect(Object.fromEntries(typeNames)).toEqual({
      tpl_1: 'Invoice',
      tpl_20: 'Document',
      tpl_21: 'Batch',
      tpl_22: 'DocmillTemplates2',
      tpl_23: 'String',
      tpl_24: 'Object',
      tpl_3: 'Offer',
      tpl_4: 'Offer2',
      tpl_5: 'Template2026X',
      tpl_6: 'Old',
      tpl_7: 'Huge',
      tpl_8: 'Words',
    });
  });

  test('have a name that several templates share by id only', () => {
    expect(repeatedNames).toEqual(['offer.docx']);
    expect(written).toContain('"tpl_3": Offer;');
    expect(written).not.toContain('"offer.docx"');
  });

  test('do not depend on the order of the templates', () => {
    expect(writeDeclarations(templates.toReversed()).text).toBe(written);
  });

  test('of no templates are valid too', () => {
    expect(writeDeclarations([]).text).toContain('export interface DocmillTemplates {\n}');
  });
});

// Each line is wrong in one way only; the lines of `right` compile.
const wrong = [
  "await docmill.templates.generate('tpl_1', { number: '1' });",
  "await docmill.templates.generate('tpl_1', { number: 1, lines: [] });",
  "await docmill.templates.generate('tpl_1', { numbr: '1', number: '1', lines: [] });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [{ price: 1 }] });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [{ sku: 'a', prise: 1 }] });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [], logo: {} });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [], rates: { usd: '1' } });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [], 'unit price': '1' });",
  "await docmill.templates.start('tpl_20', { name: 'a' });",
  'await docmill.templates.generate(found.id, { title: 1 });',
  "await docmill.templates.generate('tpl_4', { a: 'of the other template' });",
  "await docmill.templates.generate('tpl_7', { a: 1 });",
  "await docmill.templates.generate('tpl_5', 'no object');",
  "await docmill.batches.create('tpl_20', [{ title: 'an item has data' }]);",
  "await docmill.batches.create('tpl_20', [{ data: { titel: 'a' } }]);",
  "await docmill.batches.create(found.id, new Set([{ titel: 'a' }]));",
  'await docmill.batches.quote(found.id, async function* () { yield { title: 1 }; });',
];
const right = [
  "await docmill.templates.generate('tpl_1', { number: '1', lines: [{ sku: 'a' }], logo: { data: 'x' }, rates: { usd: 1 } });",
  "await docmill.templates.generate('tpl_1', { number: '1', lines: frozen, logo: 'x', 'unit price': undefined });",
  "await docmill.templates.start(found.id, { title: 'a' });",
  "await docmill.templates.generate('tpl_7', { a: '', more: 1 });",
  "await docmill.templates.generate('tpl_6', { any: 1 });",
  "await docmill.templates.generate('tpl_5', { any: 1 });",
  "await docmill.templates.generate('tpl_other', { any: 1 });",
  "await docmill.batches.create(found.id, [{ data: { title: 'a' }, output: { filename: 'a' } }]);",
  "await docmill.batches.create(found.id, async function* () { yield { title: 'a' }; });",
  "await docmill.batches.create('tpl_other', new Set([{ any: 1 }]));",
  "await docmill.batches.create(chosen, { csv: 'title' });",
  'await docmill.templates.generate(chosen, { any: 1 });',
  "await docmill.templates.generate((await docmill.templates.find('other.docx')).id, { any: 1 });",
];
const program = [
  "import { Docmill } from '@docmill/client';",
  "import type { Invoice } from './docmill.d.ts';",
  "const docmill = new Docmill({ apiKey: 'k', baseUrl: 'http://localhost' });",
  'declare const chosen: string;',
  "const found = await docmill.templates.find('document.docx');",
  "const frozen: readonly Invoice['lines'][number][] = [{ sku: 'a', price: undefined }];",
  ...right,
  ...wrong,
];

const folder = mkdtempSync(join(tmpdir(), 'docmill-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const compilers = [resolve('package.json'), resolve('clients/typescript/package.json')].map((from) =>
  dirname(createRequire(from).resolve('typescript/package.json')),
);

test.each(compilers)(
  'a wrong field does not compile, a right one does: %s',
  async (compiler) => {
    const options = {
      ...{
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      },
      ...{
        exactOptionalPropertyTypes: true,
        noPropertyAccessFromIndexSignature: true,
        allowImportingTsExtensions: true,
      },
      ...{ types: [], customConditions: ['docmill-source'], erasableSyntaxOnly: true, skipLibCheck: false },
    };
    writeFileSync(join(folder, 'docmill.d.ts'), writeDeclarations(templates).text);
    writeFileSync(join(folder, 'program.ts'), program.join('\n'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    rmSync(join(folder, 'node_modules'), { force: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const printed = await new Promise<string>((done) => {
      execFile(process.execPath, [join(compiler, 'bin/tsc'), '-p', folder], { cwd: folder }, (_, stdout) =>
        done(stdout),
      );
    });
    const places = Array.from(printed.matchAll(/^(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`);
    const first = program.length - wrong.length + 1;
    expect([...new Set(places)], printed).toEqual(wrong.map((_, index) => `program.ts:${first + index}`));
  },
  240_000,
);
