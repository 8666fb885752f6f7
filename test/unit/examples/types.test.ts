import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { writeDeclarations } from '../../../clients/cli/src/types/write-declarations.ts';
import { inspectTemplate } from '../../../src/worker/docx/inspect/inspect-template.ts';
import { useFolder } from '../../support/folder.ts';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const folder = useFolder();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const templates = readdirSync('examples')
  .filter((file) => file.endsWith('.docx'))
  .map((file) => {
    const { schema, example } = inspectTemplate(readFileSync(`examples/${file}`));
    const data = JSON.parse(readFileSync(`examples/${file.replace('.docx', '.json')}`, 'utf8'));
    return { id: `tpl_${file}`, name: file, schema, values: [data, example] };
  });

test.each(templates)('the schema of $name takes its data and its own example', ({ schema, values }) => {
  const validate = ajv.compile(schema);
  for (const value of values) expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
});

test('the types of all examples take the same, and nothing in its place that the template cannot take', async () => {
  const declarations = writeDeclarations(templates);
  const typeOf = (id: string) => declarations.typeNames.get(id) ?? '';
  const right = templates.flatMap(({ id, values }) => values.map((value) => [typeOf(id), value] as const));
  const wrong = right.map(([type, value]) => [type, { ...value, misspelt: '' }] as const);
  const lines = [...right, ...wrong].map(
    ([type, value], index) => `export const value${index}: types.${type} = ${JSON.stringify(value)};`,
  );
  folder.write('docmill.d.ts', declarations.text.split('declare module')[0] ?? '');
  folder.write('program.ts', ["import type * as types from './docmill.d.ts';", ...lines].join('\n'));
  folder.write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }));
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, [compiler, '-p', folder.path], (_, stdout) => done(stdout));
  });
  const places = Array.from(printed.matchAll(/^(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`);
  const first = right.length + 2;
  expect([...new Set(places)], printed).toEqual(
    wrong.map((_, index) => expect.stringMatching(`program.ts:${first + index}$`)),
  );
}, 240_000);
