import { expect, test } from 'vitest';
import { checkConsoleFile } from '../../../../tools/checks/console-rules.ts';

const problemsOf = (source: string, file = 'src/console/a/page.tsx') =>
  checkConsoleFile(file, source).map(({ problem }) => problem);

test.each([
  ['export const A = () => <p>Upload</p>;'],
  ["export const A = () => <p>{'Upload'}</p>;"],
  [`export const A = ({ n }) => <p>{\`Upload \${n}\`}</p>;`],
  ["export const A = ({ a }) => <p>{a ? 'Upload' : null}</p>;"],
  ["export const A = ({ a }) => <p>{a && 'Upload'}</p>;"],
  ['export const A = () => <button aria-label="Upload" />;'],
  ["export const A = () => <Field label={'Upload'} />;"],
  ['export const A = () => <img alt="Überschrift" />;'],
])('text in a page is reported: %s', (source) => {
  expect(problemsOf(source)).toEqual([expect.stringMatching(/belongs in src\/console\/texts/)]);
});

test.each([
  ["export const a = (e) => { e.innerHTML = 'x'; };", /innerHTML/],
  ["export const a = (e) => { e['outerHTML'] = 'x'; };", /outerHTML/],
  ["export const a = (e) => e.insertAdjacentHTML('x', 'y');", /insertAdjacentHTML/],
  ['export const A = () => <p dangerouslySetInnerHTML={{ __html: x }} />;', /dangerouslySetInnerHTML/],
  ["export const a = () => eval('1');", /eval/],
  ["export const a = new Function('1');", /Function/],
])('code that turns a string into markup or script is reported: %s', (source, problem) => {
  expect(problemsOf(source)).toEqual([expect.stringMatching(problem)]);
});

test.each([
  ["export const a = fetch('https://cdn.example.com/a.js');", 'src/console/a.ts'],
  [`export const a = (v) => \`//cdn.example.com/\${v}\`;`, 'src/console/a.ts'],
  ['@import url("https://fonts.example.com/inter.css");', 'src/console/a.css'],
  ['<script src="//cdn.example.com/a.js"></script>', 'src/console/index.html'],
])('an address on another host is reported: %s', (source, file) => {
  expect(problemsOf(source, file)).toEqual([expect.stringMatching(/loads nothing from elsewhere/)]);
});

test('strings from the texts folder, names, classes, symbols and namespaces are not reported', () => {
  const source = `
    export const A = ({ name }) => (
      <p class="muted small" role="status" lang="en" title={texts.title(name)}>
        {texts.upload} · {name} – 3 × {'→'}
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" />
      </p>
    );`;
  expect(problemsOf(source)).toEqual([]);
});

test('a problem is reported with its line', () => {
  expect(checkConsoleFile('src/console/a.tsx', 'const a = 1;\nconst b = <p>Words</p>;')[0]?.line).toBe(2);
});
