import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarationsMark, writeDeclarations } from '../../../../../clients/cli/src/types/write-declarations.ts';
import { useFolder } from '../../../../support/folder.ts';

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const oneOf = (...names: readonly string[]) => names.map((name) => ({ required: [name] }));
const text = { type: 'string' };
const odd = [
  ...['new', 'readonly', 'constructor', 'get', 'async', '__proto__'],
  ...['1a', 'a-b', 'a"b', 'größe', '\u2028', '*/', ''],
];
const invoice = object(
  {
    number: text,
    lines: { type: 'array', items: object({ sku: text, price: { type: 'number' } }, ['sku']) },
    logo: { anyOf: [text, { ...object({ data: text, asset: text }), anyOf: oneOf('data', 'asset') }] },
    rates: { type: 'object', additionalProperties: { type: 'number' } },
    'unit price': { description: 'In cents */ as a number', type: 'number' },
  },
  ['number', 'lines'],
);
const templates = [
  { id: 'tpl_1', name: 'invoice.docx', schema: invoice },
  // Names that the client, the generated file itself or every program already uses for types.
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
  { id: 'tpl_8', name: 'words.docx', schema: object(Object.fromEntries(odd.map((name) => [name, text])), odd) },
];

const another = { id: 'tpl_9', name: 'contract.docx', schema: object({ title: text }, ['title']) };

describe('the declarations of templates', () => {
  const { text: written, typeNames, repeatedNames } = writeDeclarations(templates);

  test('begin with the line that identifies the file, and define each type once, named after its template', () => {
    expect(written.startsWith(`${declarationsMark}\n`)).toBe(true);
    expect(templates.map(({ id }) => typeNames.get(id))).toEqual([
      ...['Invoice', 'Document', 'Batch', 'DocmillTemplates2', 'String', 'Object'],
      ...['Offer', 'Offer2', 'Template2026X', 'Old', 'Huge', 'Words'],
    ]);
  });

  test('are reached by id only if several templates share the name', () => {
    expect(repeatedNames).toEqual(['offer.docx']);
    expect(written).toContain('"tpl_3": Offer;');
    expect(written).not.toContain('"offer.docx"');
  });

  test('do not depend on the order of the templates, and may be empty', () => {
    expect(writeDeclarations(templates.toReversed()).text).toBe(written);
    expect(writeDeclarations([]).text).toContain('\ninterface DocmillTemplates {\n}');
  });
});

// Each line is wrong in exactly one way; the lines of `right` compile.
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
  "await docmill.templates.generate('invoice.docx', { number: '1' });",
  "await docmill.templates.generate('invoice', { number: '1' });",
  "await docmill.batches.create('document', [{ data: { titel: 'a' } }]);",
  "await docmill.templates.generate('contract', { title: 1 });",
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
  "await docmill.templates.generate('invoice.docx', { number: '1', lines: [{ sku: 'a' }] });",
  "await docmill.templates.generate('invoice', { number: '1', lines: [{ sku: 'a' }] });",
  "await docmill.templates.generate('offer', { any: 1 });",
  "await docmill.batches.quote('document', [{ data: { title: 'a' } }]);",
  "await docmill.templates.generate((await docmill.templates.find('document')).id, { title: 'a' });",
  "await docmill.templates.generate('contract', contract);",
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
  "import type { Contract } from './more.d.ts';",
  "const docmill = new Docmill({ apiKey: 'k', baseUrl: 'http://localhost' });",
  'declare const chosen: string;',
  "const found = await docmill.templates.find('document.docx');",
  "const contract: Contract = { title: 'of the second file' };",
  "const frozen: readonly Invoice['lines'][number][] = [{ sku: 'a', price: undefined }];",
  ...right,
  ...wrong,
];

const folder = useFolder();
symlinkSync(resolve('node_modules'), folder.at('node_modules'));
const compilers = [resolve('package.json'), resolve('clients/typescript/package.json')].map((from) =>
  dirname(createRequire(from).resolve('typescript/package.json')),
);

test.each(compilers)(
  'a wrong field does not compile, and a correct one does: %s',
  async (compiler) => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], skipLibCheck: false },
      ...{ exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true, erasableSyntaxOnly: true },
      ...{ allowImportingTsExtensions: true, customConditions: ['docmill-source'] },
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    };
    folder.write('docmill.d.ts', writeDeclarations(templates).text);
    // A second file of the same program, written for another template.
    folder.write('more.d.ts', writeDeclarations([another]).text);
    folder.write('program.ts', program.join('\n'));
    folder.write('package.json', '{"type":"module"}');
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const words = [join(compiler, 'bin/tsc'), '-p', folder.path];
    const printed = await new Promise<string>((done) => {
      execFile(process.execPath, words, { cwd: folder.path }, (_, stdout) => done(stdout));
    });
    const places = Array.from(printed.matchAll(/^(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`);
    const first = program.length - wrong.length + 1;
    expect([...new Set(places)], printed).toEqual(wrong.map((_, index) => `program.ts:${first + index}`));
  },
  240_000,
);
