import { expect, test } from 'vitest';
import { digestProgram, layoutKeyOf } from '../../../../src/worker/direct-pdf/layout-key.ts';

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
