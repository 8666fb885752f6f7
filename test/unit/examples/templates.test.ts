import PizZip from 'pizzip';
import { describe, expect, it } from 'vitest';
import { type ExampleName, exampleData, exampleNames, templateBytes, visibleText } from './example-files.ts';
import { missingTags } from './missing-tags.ts';
import { renderPlainly } from './render-plainly.ts';

/** Data for the conditional text that the example's own data does not select. */
const notChosen: Partial<Record<ExampleName, readonly string[]>> = { contract: ['€85.00'] };

const leaves = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
};

describe.each(exampleNames)('the %s example', (name) => {
  const zip = new PizZip(templateBytes(name));
  const part = (path: string) => zip.file(path)?.asText() ?? '';

  it('has data for every tag, in every element of every loop', () => {
    const text = visibleText(templateBytes(name));
    expect(text).toMatch(/\{#\w/);
    expect(missingTags(text, exampleData(name))).toEqual([]);
  });

  it('prints every value of its data', () => {
    const text = visibleText(renderPlainly(templateBytes(name), exampleData(name)));
    expect(text).not.toMatch(/[{}]|undefined|\[object/);
    const unseen = leaves(exampleData(name)).filter((value) => !text.includes(value));
    expect(unseen).toEqual(notChosen[name] ?? []);
  });

  it('is an A4 document in English that says what it is', () => {
    expect(part('word/document.xml')).toMatch(
      /<w:pgSz w:w="(11906" w:h="16838"|16838" w:h="11906" w:orient="landscape")/,
    );
    expect(part('word/styles.xml')).toContain('<w:lang w:val="en-GB"');
    expect(part('docProps/core.xml')).toMatch(/<dc:title>[^<]+<.*<dc:subject>[^<]+<.*<dc:creator>Linden Works</);
  });

  it('names only styles that it defines', () => {
    const defined = new Set([...part('word/styles.xml').matchAll(/w:styleId="(\w+)"/g)].map(([, id]) => id));
    const stories = Object.keys(zip.files).filter((path) => /^word\/(document|header|footer|footnotes)/.test(path));
    const used = stories.flatMap((path) =>
      [...part(path).matchAll(/<w:(?:p|r|tbl)Style w:val="(\w+)"/g)].map(([, id]) => id),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((id) => !defined.has(id))).toEqual([]);
  });
});
