import { describe, expect, test } from 'vitest';
import { carboneCases } from './carbone-cases.ts';
import { expectLeft, fill, guideTable, migrate, outcomeOf, readGuide } from './migration-case.ts';

// Carbone's licence (CCL) does not allow a document service to use it, so its documentation says what it prints.
describe('templates of Carbone', () => {
  test.each(carboneCases.map((one) => [one.feature, one] as const))('%s', (_, one) => {
    const { file, report } = migrate(one, 'carbone');
    expect(report.findings.filter(({ status }) => status === 'left').map(({ reason }) => reason)).toHaveLength(
      one.outcome === 'reported' ? report.left : 0,
    );
    expect(outcomeOf(report)).toBe(one.outcome);
    if (one.prints === undefined) expectLeft(file, report);
    else expect(fill(file, one.newData ?? one.data)).toBe(one.prints);
  });

  test('data of another shape is named', () => {
    const dataOf = (feature: string) => {
      const one = carboneCases.find((known) => known.feature === feature);
      return one === undefined ? [] : migrate(one, 'carbone').report.data;
    };
    expect(dataOf('complement')).toEqual([expect.stringContaining('{"c": { … }}')]);
    expect(dataOf('nested lists; the data is a list')).toEqual([expect.stringContaining('{"d": [ … ]}')]);
  });

  test('the guide lists them', () => {
    expect(readGuide('carbone')).toContain(guideTable(carboneCases, 'carbone', 'Carbone'));
  });
});
