import { Html, html } from './html.ts';
import { describeDifference, type PagePictures, type TestResult } from './results.ts';

/** Pictures beyond this total size, in bytes, are left out, so that browsers can open the page. */
const maxPictureBytes = 60 * 1024 * 1024;

/** A self-contained page with all results and the pictures of the failed ones. */
export function toReport(results: readonly TestResult[]): string {
  const failed = results.filter(({ status }) => status === 'failed');
  const budget = { bytes: maxPictureBytes };
  const sections = failed.map((result) => failure(result, budget));
  const rows = results.map(
    (one) => html`<tr><td>${one.template}</td><td>${one.name}</td><td class="${one.status}">${one.status}</td>
      <td>${one.note ?? describeFirst(one)}</td><td>${(one.durationMs / 1000).toFixed(1)} s</td></tr>\n`,
  );
  const heading =
    failed.length === 0 ? 'All templates are as expected' : `${failed.length} of ${results.length} failed`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docmill test: ${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<table><thead><tr><th>Template</th><th>Case</th><th>Result</th><th>First difference</th><th>Time</th></tr></thead>
<tbody>${rows}</tbody></table>
${sections}
</main>
</body>
</html>
`.text;
}

function describeFirst({ differences: [first] }: TestResult): string {
  return first === undefined ? '' : describeDifference(first);
}

function failure({ template, name, differences, pictures }: TestResult, budget: { bytes: number }): Html {
  const items = differences.map((difference) => html`<li>${describeDifference(difference)}</li>\n`);
  return html`<section><h2>${template} / ${name}</h2>
<ul>${items}</ul>
${pictures.map((page) => pictured(page, budget))}</section>
`;
}

function pictured({ page, expected, actual, difference }: PagePictures, budget: { bytes: number }): Html {
  const figures = [
    figure('expected', page, expected),
    figure('actual', page, actual),
    figure('difference', page, difference),
  ];
  const sizeBytes = figures.reduce((sum, { text }) => sum + text.length, 0);
  if (sizeBytes > budget.bytes) return html`<p>The pictures of page ${page} are left out: there are too many.</p>`;
  budget.bytes -= sizeBytes;
  return html`<h3>Page ${page}</h3><div class="pages">${figures}</div>\n`;
}

function figure(kind: string, page: number, picture: Uint8Array | undefined): Html {
  if (picture === undefined) return html`<figure><figcaption>${kind}: none</figcaption></figure>`;
  const source = new Html(`data:image/png;base64,${Buffer.from(picture).toString('base64')}`);
  return html`<figure><figcaption>${kind}</figcaption><img alt="Page ${page}, ${kind}" src="${source}"></figure>`;
}

const style = new Html(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 2rem; }
  table { border-collapse: collapse; }
  th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8886; vertical-align: top; }
  .failed { color: #c5221f; font-weight: 600; }
  .pages { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; }
  figure { margin: 0; }
  img { width: 100%; border: 1px solid #8886; background: #fff; }
  @media (prefers-color-scheme: dark) { .failed { color: #ff8a80; } }
  @media (max-width: 50rem) { .pages { grid-template-columns: minmax(0, 1fr); } }
`);
