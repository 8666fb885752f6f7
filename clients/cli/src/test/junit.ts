import { describeDifference, type TestResult } from './results.ts';

/** The results as JUnit XML: a suite for each template, a test case for each case. */
export function toJunit(results: readonly TestResult[]): string {
  const names = [...new Set(results.map(({ template }) => template))];
  const suites = names.map((name) => {
    const own = results.filter(({ template }) => template === name);
    return `  <testsuite ${attributes({ name, ...totals(own) })}>\n${own.map(testCase).join('')}  </testsuite>\n`;
  });
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return `${head}<testsuites ${attributes({ name: 'docmill', ...totals(results) })}>\n${suites.join('')}</testsuites>\n`;
}

function totals(results: readonly TestResult[]): Readonly<Record<string, string | number>> {
  const count = (status: TestResult['status']): number => results.filter((one) => one.status === status).length;
  const durationMs = results.reduce((sum, one) => sum + one.durationMs, 0);
  const numbers = { tests: results.length, failures: count('failed'), errors: 0, skipped: count('skipped') };
  return { ...numbers, time: seconds(durationMs) };
}

function testCase({ template, name, status, differences, durationMs, note }: TestResult): string {
  const opening = `    <testcase ${attributes({ name, classname: template, time: seconds(durationMs) })}`;
  if (status === 'skipped') return `${opening}><skipped ${attributes({ message: note ?? '' })}/></testcase>\n`;
  if (status !== 'failed') return `${opening}/>\n`;
  const lines = differences.map(describeDifference);
  const failure = `<failure ${attributes({ message: lines[0] ?? '', type: 'difference' })}>${escapeXml(lines.join('\n'))}</failure>`;
  return `${opening}>${failure}</testcase>\n`;
}

const seconds = (durationMs: number): string => (durationMs / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** XML 1.0 cannot represent most control characters, lone surrogates and U+FFFE. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (sign) => entities[sign] ?? '');
