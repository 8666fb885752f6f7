import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { loadSvgEngine } from '../../../src/worker/docx/core/pictures/svg-engine.ts';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { features } from '../../../tools/pictures/features.ts';
import { pageFiles } from '../../../tools/pictures/page.ts';
import { ooxmlProblems } from '../../support/documents/ooxml-check.ts';

beforeAll(loadSvgEngine);

const docs = new URL('../../../docs/reference/', import.meta.url);

test('each feature of the reference has pictures, and each picture belongs to a feature', () => {
  const names = features.flatMap(({ name }) => [`${name}-result.png`, `${name}-template.png`]).sort();
  expect(readdirSync(new URL('pictures/language/', docs)).sort()).toEqual(names);
  const shown = readFileSync(new URL('template-language.md', docs), 'utf8').matchAll(/pictures\/language\/([\w.-]+)/g);
  expect([...shown].map(([, file]) => file).sort()).toEqual(names);
});

test.each(features)('the template for $name renders without warnings to a valid document', async (feature) => {
  const { template, includes } = await pageFiles(feature);
  const { file, warnings } = renderTemplate(
    prepareTemplate(template, 'docx', { includes }),
    Buffer.from(JSON.stringify(feature.data)),
    {
      locale: feature.locale,
    },
  );
  expect(warnings.map(({ code }) => code)).toEqual(feature.onMissing === undefined ? [] : ['missing_value']);
  expect(await ooxmlProblems(file)).toEqual([]);
});
