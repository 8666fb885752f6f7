import { expect, it } from 'vitest';
import { buildExamples } from '../../../tools/examples/build-examples.ts';
import { exampleNames, templateBytes } from './example-files.ts';

it('the examples are what their script builds, byte for byte', () => {
  const built = buildExamples();
  expect(Object.keys(built).sort()).toEqual(exampleNames.map((name) => `${name}.docx`));
  for (const name of exampleNames) {
    expect(
      built[`${name}.docx`]?.equals(templateBytes(name)),
      `${name}.docx is stale: npx tsx tools/examples/main.ts`,
    ).toBe(true);
  }
}, 60_000);
