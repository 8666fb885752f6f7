import { describe, expect, test } from 'vitest';
import { isProtected, type Protection, toEncryption } from '../../../../src/worker/pdf/protect/protection.ts';

const flagsOf = (permissions: Protection['permissions']) => toEncryption({ permissions }, 'owner').permissions;
const all = { print: true, printHighQuality: true, assemble: true, fillForms: true, annotate: true, modify: true };

test('only a password or permissions protect a PDF', () => {
  expect([{ password: 'x' }, { permissions: {} }, {}].map(isProtected)).toEqual([true, true, false]);
});

describe('permissions', () => {
  test('are granted by default', () => {
    expect(flagsOf({})).toEqual({ ...all, copy: true, accessibility: true });
    expect(flagsOf(undefined)).toEqual(flagsOf({}));
  });

  test.each([
    ['none', []],
    ['assembly', ['assemble']],
    ['forms', ['assemble', 'fillForms']],
    ['comments', ['assemble', 'fillForms', 'annotate']],
    ['all', ['assemble', 'fillForms', 'annotate', 'modify']],
  ] as const)('include lower ones for changes: %s', (changes, allowed) => {
    const { assemble, fillForms, annotate, modify } = flagsOf({ changes }) ?? {};
    const granted = Object.entries({ assemble, fillForms, annotate, modify }).flatMap(([name, is]) =>
      is ? [name] : [],
    );
    expect(granted).toEqual(allowed);
  });

  test.each([
    ['none', false, false],
    ['low', true, false],
    ['high', true, true],
  ] as const)('cover printing: %s', (printing, print, printHighQuality) => {
    expect(flagsOf({ printing })).toMatchObject({ print, printHighQuality });
  });

  test('cover copying and screen readers', () => {
    expect(flagsOf({ copying: false, accessibility: false })).toMatchObject({ copy: false, accessibility: false });
  });
});

test('a password is normalized in the same way as in PDF readers', () => {
  expect(toEncryption({ password: 'u\u0308ber \uff21' }, 'owner').userPassword).toBe('über A');
  expect(toEncryption({ permissions: {} }, 'owner')).not.toHaveProperty('userPassword');
});
