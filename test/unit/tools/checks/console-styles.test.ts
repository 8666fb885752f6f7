import { expect, test } from 'vitest';
import { checkStyles } from '../../../../tools/checks/console-styles.ts';

const problemsOf = (sheets: Readonly<Record<string, string>>) =>
  checkStyles(Object.entries(sheets).map(([file, source]) => ({ file: `src/console/${file}`, source }))).map(
    ({ file, line, problem }) => `${file}:${line}: ${problem}`,
  );

test('a class that two files style is reported in the second one', () => {
  expect(problemsOf({ 'a/a.css': '.row {}', 'b/b.css': '\n.list,\n.row > p {}' })).toEqual([
    'src/console/b/b.css:2: .row > p: .row is already styled in src/console/a/a.css',
  ]);
});

test.each([
  ['@media (max-width: 40rem) { .row b { margin: 0; } }', '.row b: .row is already styled in src/console/a/a.css'],
  ['.own .row {}', '.own .row: .row is already styled in src/console/a/a.css'],
  ['.own.row {}', '.own.row: .row is already a class in src/console/a/a.css'],
  ['progress {}', "progress: a page's selector must begin with a class"],
])('a style that reaches other pages is reported: %s', (source, problem) => {
  expect(problemsOf({ 'a/a.css': '.row {}', 'b/b.css': source })).toEqual([`src/console/b/b.css:1: ${problem}`]);
});

test('common styles may name elements, and pages may position what they share', () => {
  const sheets = {
    'styles/ui.css': 'progress {}\n.button.primary {}\n.card > h2 {}',
    'pdf/pdf.css': '.pdf {}',
    'a/a.css': `
      /* Neither .b nor a { brace } here is a selector. */
      .own .pdf { margin: 0 auto; background: url(a.b); }
      .own > .card:has(> .button.primary, .button:hover) {}
      @keyframes turn { from { rotate: 0; } 50% { rotate: 1turn; } to { rotate: 0; } }
      @container (max-width: 52rem) { .own { margin: 0; } }`,
  };
  expect(problemsOf(sheets)).toEqual([]);
});
