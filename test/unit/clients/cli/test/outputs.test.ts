import { parse } from 'parse5';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { toJunit } from '../../../../../clients/cli/src/test/junit.ts';
import { toReport } from '../../../../../clients/cli/src/test/report.ts';
import { toLines } from '../../../../../clients/cli/src/test/result-lines.ts';
import type { TestResult } from '../../../../../clients/cli/src/test/results.ts';

const hostile = `</failure><script>alert("1")</script> & ]]> \u0007\ud800 'x'`;
const plain = { template: 'invoice', name: 'plain', differences: [], pictures: [], durationMs: 40 };
const results: readonly TestResult[] = [
  { ...plain, name: 'schema', status: 'skipped', durationMs: 3, note: hostile },
  { ...plain, status: 'passed', durationMs: 1200 },
  {
    ...{ ...plain, template: hostile, name: hostile, status: 'failed' },
    differences: [{ page: 2, message: hostile }, { message: 'second\nline' }],
    pictures: [{ page: 2, expected: Buffer.from('one'), actual: Buffer.from('two') }],
  },
];

test('the JUnit file is well-formed and has a test case for each result, whatever a document contains', () => {
  const open: string[] = [];
  const attributes: Record<string, Record<string, string>[]> = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes: own }) => {
    open.push(name);
    attributes[name] = [...(attributes[name] ?? []), own as Record<string, string>];
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.write(toJunit(results)).close();
  expect(open.filter((name) => name === 'testcase')).toHaveLength(3);
  const suites = { name: 'docmill', tests: '3', failures: '1', errors: '0', skipped: '1', time: '1.243' };
  expect(attributes.testsuites).toEqual([suites]);
  expect(attributes.failure?.[0]?.message).toContain('page 2: </failure><script>');
  expect(text).toContain('second\nline');
});

test('the report escapes all text, loads nothing and embeds its pictures', () => {
  const page = toReport(results);
  expect(page).not.toContain('<script');
  expect(page).toContain("default-src 'none'");
  expect(page.match(/(src|href)="(?!data:image\/png;base64,)/g)).toBeNull();
  expect(page.match(/<img /g)).toHaveLength(2);
  expect(page).toContain('difference: none');
  expect(page).toContain('1 of 3 failed');
  const nodes = JSON.stringify(parse(page), (key, value: unknown) => (key === 'parentNode' ? undefined : value));
  expect(nodes).not.toContain('"nodeName":"script"');
  expect(toReport(results.slice(1, 2))).toContain('All templates are as expected');
});

test('the report of a completely different document stays short enough to read', () => {
  const differing = (count: number): TestResult => ({
    ...plain,
    status: 'failed',
    differences: Array.from({ length: count }, (_, index) => ({ page: 1, message: `difference ${index + 1}` })),
  });
  expect(toLines(differing(21))).toHaveLength(22);
  const lines = toLines(differing(400));
  expect(lines).toHaveLength(22);
  expect(lines[0]).toBe('failed   invoice / plain');
  expect(lines.at(-2)).toContain('difference 20');
  expect(lines.at(-1)).toContain('and 380 more differences; --json and --report have all of them');
});
