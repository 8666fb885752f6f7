import { expect, test } from 'vitest';
import type { ClaimedFont } from '../../../../src/shared/domain/documents/document-record.ts';
import { digestProgram, layoutKeyOf, proofKeyOf } from '../../../../src/worker/direct-pdf/layout-key.ts';

test('another LibreOffice, another set of fonts or another layout program requires a new proof', async () => {
  const now = { office: '25.2.3.2', fonts: 'a'.repeat(64), program: await digestProgram() };
  const others = [
    { ...now, office: '25.2.4.1' },
    { ...now, fonts: 'b'.repeat(64) },
    { ...now, program: 'c'.repeat(64) },
  ];
  const keys = [now, ...others].map(layoutKeyOf);
  expect(new Set(keys).size).toBe(4);
  expect(layoutKeyOf({ ...now, program: await digestProgram() })).toBe(keys[0]);
});

test('a proof holds for its included templates and fonts of the account, in any order', () => {
  const include = (objectKey: string) => ({
    reference: 'terms',
    templateId: 'tpl',
    version: 1,
    objectKey,
    checksum: '',
  });
  const font = (objectKey: string) => ({ objectKey }) as ClaimedFont;
  const keys = [
    { includes: [], accountFonts: [] },
    { includes: [include('terms/1')], accountFonts: [] },
    { includes: [include('terms/2')], accountFonts: [] },
    { includes: [], accountFonts: [font('fonts/1')] },
    { includes: [include('terms/1')], accountFonts: [font('fonts/1')] },
    { includes: [include('terms/1')], accountFonts: [font('fonts/1'), font('fonts/2')] },
  ].map((files) => proofKeyOf('key', files));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toBe('key');
  expect(proofKeyOf('key', { includes: [], accountFonts: [font('2'), font('1')] })).toBe(
    proofKeyOf('key', { includes: [], accountFonts: [font('1'), font('2')] }),
  );
});
