import { expect, it } from 'vitest';
import { readProcessAnswer } from '../../../../src/worker/docx/sandbox/protocol.ts';

const document = { kind: 'document', docx: Buffer.from('PK'), warnings: [], renderMs: 1 };

it('a reply of a render process has a known kind, and its file consists of bytes', () => {
  expect(readProcessAnswer(document)).toBe(document);
  const invalid = [
    {},
    { kind: 'ready' },
    { kind: 'surprise' },
    { ...document, docx: 'PK' },
    { kind: 'font', file: [] },
  ];
  for (const message of invalid) expect(readProcessAnswer(message)).toBeUndefined();
});
