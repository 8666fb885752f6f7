import { expect, test } from 'vitest';
import { compileRowTexts } from '../../../../src/api/batches/row-texts.ts';

type Options = Parameters<typeof compileRowTexts>[0];

const filled = (output: object, data: unknown) => compileRowTexts({ output } as unknown as Options).fill(data);

test('a value never begins a folder in the name of its file', () => {
  const data = { number: '5/2026', path: 'a\\b' };
  expect(filled({ filename: 'Invoice {number} {path}' }, data).filename).toBe('Invoice 5-2026 a-b');
});

test('a value is unchanged in an e-mail', () => {
  const email = { to: ['{to}'], subject: 'Invoice {number}' };
  expect(filled({ email }, { to: 'ada@example.com', number: '5/2026' }).email).toMatchObject({
    to: ['ada@example.com'],
    subject: 'Invoice 5/2026',
  });
});
