import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawMenus } from '../../../../tools/pictures/menus.ts';

const folder = 'docs/guides/pictures/word';

test('the drawings of menus are current, and the guide shows each', () => {
  const guide = readFileSync('docs/guides/first-invoice.md', 'utf8');
  const drawn = drawMenus();
  expect(readdirSync(folder).sort()).toEqual([...drawn.keys()].map((name) => `${name}.svg`).sort());
  for (const [name, svg] of drawn) {
    expect(readFileSync(`${folder}/${name}.svg`, 'utf8'), `run npm run pictures -- menus`).toBe(svg);
    expect(guide).toContain(`](pictures/word/${name}.svg)`);
  }
});
