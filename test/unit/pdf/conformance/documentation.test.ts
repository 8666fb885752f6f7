import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules } from '../../../../src/worker/pdf/conformance/rules.ts';

const page = readFileSync('docs/reference/conformance.md', 'utf8');

test('the reference lists every rule with its clauses and its message', () => {
  const rows = Object.entries(rules).map(([name, { message, clauses }]) => {
    const numbers = (['PDF/A-1b', 'PDF/A-2b', 'PDF/A-3b', 'PDF/UA-1'] as const).map((standard) =>
      ((clauses as Partial<Record<typeof standard, string>>)[standard] ?? '')
        .replace(/^ISO [\d-]+, /, '')
        .replace('; Matterhorn Protocol', ';'),
    );
    return `| \`${name}\` | ${numbers.join(' | ')} | ${message} |`;
  });
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  const [list = ''] = page.split('## What is not checked');
  expect(list.match(/^\| `[a-z-]+` \|/gm)).toHaveLength(rows.length);
});
