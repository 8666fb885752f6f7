import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { type CopiedRequest, codeFor } from '../../../../src/console/playground/copy-as.ts';
import { useFolders } from '../../../support/folder.ts';

const newFolder = useFolders();
const dataText = JSON.stringify({
  name: `O'Brien $(touch /tmp/x) \`id\` "quoted" \\ END_OF_DATA`,
  lines: 'a\nb\u2028c',
  nothing: null,
  yes: true,
  no: false,
  rows: [],
  empty: {},
  deep: [{ n: 1.5 }],
  emoji: '👩‍🚀',
}).replace('1.5', '12345678901234567890.10');

const request: CopiedRequest = {
  serviceUrl: 'https://docmill.example.com',
  templateId: 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a',
  version: 3,
  dataText,
  options: {
    output: { format: 'pdf', filename: "it's.pdf", pdf: { watermark: "'; rm -rf /" }, email: { to: ['a@b.c'] } },
  },
};

/** Runs shell code with a fake program in place of the one that it calls. */
function runShell(code: string, program: 'curl' | 'docmill'): { args: string[]; stdin: string } {
  const folder = newFolder();
  const script = `#!/usr/bin/env node
const { writeFileSync, readFileSync } = require('node:fs');
const stdin = process.argv.includes('-') ? readFileSync(0, 'utf8') : '';
writeFileSync(${JSON.stringify(join(folder, 'call.json'))}, JSON.stringify({ args: process.argv.slice(2), stdin }));`;
  writeFileSync(join(folder, program), script, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, DOCMILL_API_KEY: 'dts_key' };
  execFileSync('sh', ['-eu', '-c', code], { env });
  return JSON.parse(readFileSync(join(folder, 'call.json'), 'utf8')) as { args: string[]; stdin: string };
}

test('curl sends the same bytes of data, and the shell runs nothing in them', () => {
  const { args } = runShell(codeFor('curl', request), 'curl');
  expect(args).toContain('https://docmill.example.com/v1/templates/tpl_01hx5s3k2v9m8q7r6t5w4y3z2a/generate?version=3');
  expect(args).toContain('Authorization: Bearer dts_key');
  const body = args.at(-1) ?? '';
  expect(body).toContain('12345678901234567890.10');
  expect(JSON.parse(body)).toEqual({
    data: JSON.parse(dataText),
    output: { format: 'pdf', filename: "it's.pdf", pdf: { watermark: "'; rm -rf /" } },
  });
});

test('the command line gets the data on standard input, and the code lists the options that it lacks', () => {
  const code = codeFor('cli', request);
  const { args, stdin } = runShell(code, 'docmill');
  expect(JSON.parse(stdin)).toEqual(JSON.parse(dataText));
  expect(args).toEqual(expect.arrayContaining(['generate', '--format', 'pdf', '--filename', "it's.pdf"]));
  expect(code).toMatch(/^# The command line has no option for: pdf$/m);
});

test('TypeScript compiles and has the same data', () => {
  const code = codeFor('typescript', request);
  expect(transformSync(code, { loader: 'ts', format: 'esm' }).warnings).toEqual([]);
  const data = /const data = ([\s\S]*?);\nconst options/.exec(code)?.[1] ?? '';
  // biome-ignore lint/security/noGlobalEval: the code of this test
  expect(eval(`(${data})`)).toEqual(JSON.parse(dataText));
});

test('an object with the key __proto__ is plain data in TypeScript', () => {
  const code = codeFor('typescript', { ...request, dataText: '{"__proto__": {"a": 1}}' });
  expect(code).toContain('JSON.parse(');
});

test('Python sends the same data and options', () => {
  const code = codeFor('python', request);
  const check = `import json, sys
source = open(sys.argv[1], encoding="utf-8").read()
data = source.split("data = ", 1)[1].split("\\n\\nwith ", 1)[0]
compile(source, "code", "exec")
print(json.dumps(eval(data)))`;
  const file = join(newFolder(), 'code.py');
  writeFileSync(file, code);
  const printed = execFileSync('python3', ['-c', check, file], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual(JSON.parse(dataText));
  expect(code).toContain('version=3,');
});
