import { expect, it } from 'vitest';
import { defaultRules, parseRules } from '../../../../src/admin/engine-check/rules.ts';

it('the rules of a template replace thresholds and add masks; unknown fields are refused', () => {
  const mask = { x: 1, y: 2, width: 3, height: 4 };
  const rules = parseRules(JSON.stringify({ thresholds: { pixels: 0.5 }, masks: [mask] }), defaultRules);
  expect(rules).toEqual({ thresholds: { ...defaultRules.thresholds, pixels: 0.5 }, masks: [mask] });
  expect(() => parseRules('{"thresholds":{"pixel":1}}', defaultRules)).toThrow(/pixel/);
});
