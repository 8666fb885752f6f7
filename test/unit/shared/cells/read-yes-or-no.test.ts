import { describe, expect, test } from 'vitest';
import { readYesOrNo } from '../../../../src/shared/cells/read-yes-or-no.ts';

describe('a cell is read as a boolean', () => {
  test.each([
    ...['true', 'TRUE', 'True', 'yes', 'Y', '1', 'x', 'X', ' ja ', 'J', 'Oui', 'si', 'sí', 'Sì'],
    ...['si\u0300', 'sim', 'tak', 'WAHR', 'VRAI', 'VERDADERO', 'VERO', 'VERDADEIRO', 'WAAR', 'PRAWDA'],
    ...['ano', 'áno', 'igen', 'da', 'Kyllä', 'Evet', 'ναι', 'Да', '\u00a0yes\u00a0', '\uff11'],
  ])('%j is true', (cell) => {
    expect(readYesOrNo(cell)).toBe(true);
  });

  test.each([
    ...['', ' ', 'false', 'FALSE', 'no', 'N', '0', 'nein', ' NEIN', 'non', 'não', 'NAO', 'nee', 'nej'],
    ...['nei', 'nie', 'ne', 'FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'FAŁSZ', 'nem', 'ei', 'hayır', 'HAYIR'],
    ...['όχι', 'Нет', 'nu', 'f'],
  ])('%j is false', (cell) => {
    expect(readYesOrNo(cell)).toBe(false);
  });

  test.each([
    ...['vielleicht', 'o', '-', '2', '-1', '1.0', '01', 'ja?', 'ja nein', 'n/a', 'null', 'not'],
    ...['yes or no', 'passed', '{}', '[]', 'constructor', '\u200b'],
  ])('%j is neither', (cell) => {
    expect(readYesOrNo(cell)).toBeUndefined();
  });
});

test('a cell longer than any word is neither, and is not normalized', () => {
  expect(readYesOrNo('\ufdfa'.repeat(1_000_000))).toBeUndefined();
  expect(readYesOrNo(`ja${'\u0301'.repeat(1_000)}`)).toBeUndefined();
});
