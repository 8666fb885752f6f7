import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildSite } from '../../../../tools/site/build-site.ts';
import { useFolders } from '../../../support/folder.ts';
import { attribute, elementsOf, textOf } from '../../../support/site/elements.ts';
import { writeSmallProject } from '../../../support/site/small-project.ts';

const folder = useFolders()();

describe('a page written in Markdown', () => {
  test('shows tags of templates, and names in angle brackets, as text', async () => {
    const html = await buildPage(
      '# Tags\n\nWrite {{name}} or {#items}, `{{ x | upper }}`, List<T> and <b onclick="x">.\n\n```sh\necho {{x}} <y>\n```\n',
    );
    const text = html.join('');
    expect(text).toContain('Write {{name}} or {#items}, {{ x | upper }}, List<T> and <b onclick="x">.');
    expect(text).toContain('echo {{x}} <y>');
  });

  test('has no empty column headings, and no inline styles for the alignment of cells', async () => {
    await buildPage('# Page\n\n| | right |\n| --- | ---: |\n| a | b |\n');
    const elements = elementsOf(join(folder, 'project/out/page.html'));
    const cells = elements.filter(({ tagName }) => tagName === 'th' || tagName === 'td');
    expect(cells.map((cell) => [cell.tagName, textOf(cell), attribute(cell, 'class')])).toEqual([
      ['td', '', undefined],
      ['th', 'right', 'right'],
      ['td', 'a', undefined],
      ['td', 'b', 'right'],
    ]);
  });

  test.each([
    ['a page that does not exist', '[x](missing.md)', 'docs/page.md: missing.md leads nowhere'],
    ['a heading that does not exist', '[x](README.md#missing)', 'docs/page.md: README.md#missing leads nowhere'],
    ['a picture that does not exist', '![x](missing.png)', 'docs/page.md: missing.png leads nowhere'],
    ['a place outside the repository', '[x](../../etc/passwd)', 'docs/page.md: ../../etc/passwd leads nowhere'],
    ['an address of another kind', '[x](ftp://host/y)', 'docs/page.md: ftp://host/y leads nowhere'],
  ])('fails the build when it links to %s', async (_, markdown, message) => {
    await expect(buildPage(`# Page\n\n${markdown}\n`)).rejects.toThrow(message);
  });

  test('names files outside the documents, or links to them if the repository has an address', async () => {
    const markdown = '# Page\n\nSee [the rules](../deploy/rules.yaml).\n';
    expect((await buildPage(markdown)).join('')).toContain('See the rules (deploy/rules.yaml in the repository).');
    await buildPage(markdown, 'https://git.example/docmill/blob/main');
    const page = readFileSync(join(folder, 'project/out/page.html'), 'utf8');
    expect(page).toContain('<a href="https://git.example/docmill/blob/main/deploy/rules.yaml">the rules</a>');
  });
});

/** The elements of a page's article, built in a project with nothing else. */
async function buildPage(markdown: string, repositoryUrl?: string): Promise<readonly string[]> {
  const project = join(folder, 'project');
  writeSmallProject(project, { 'docs/page.md': markdown });
  await buildSite(project, join(project, 'out'), { repositoryUrl });
  const article = elementsOf(join(project, 'out/page.html')).find(({ tagName }) => tagName === 'article');
  return article === undefined ? [] : [textOf(article)];
}
