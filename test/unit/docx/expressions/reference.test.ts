import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatters } from '../../../../src/worker/docx/language/expressions/formatters.ts';
import { parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';

const reference = readFileSync(new URL('../../../../docs/reference/template-language.md', import.meta.url), 'utf8');
const chapter = (title: string) => reference.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const tags = [...(chapter('Expressions') + chapter('Formatters')).matchAll(/\{[#^]?([^{}\n…]+)\}/g)].map(
  ([, text = '']) => text.replaceAll('\\|', '|').trim(),
);
const isTag = (text: string) => !text.includes(':') || text.includes('|') || text.includes('?');
const examples = tags.filter(
  (text) => isTag(text) && !text.startsWith('/') && text !== 'value | formatter' && !text.includes('formatter:'),
);

describe('the language reference', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples)('{%s} is a valid tag', (text) => {
    expect(() => parseTagText(text)).not.toThrow();
  });

  it.each([...formatters.keys()])('describes the formatter %s', (name) => {
    expect(chapter('Formatters')).toMatch(new RegExp(`[\\s\`|]${name}[\`:} ]`));
  });
});
