import { measureNames, type PdfComparison } from '../compare-pair.ts';
import type { Failure } from '../produce-pdfs.ts';
import type { CaseResult } from '../results.ts';
import { Html, html } from './html.ts';
import { script, style } from './page-assets.ts';
import type { ReportInput, Summary } from './summary.ts';

/** The report as one HTML page. It loads nothing but the pictures in the folders of the cases. */
export function reportPage({ oldEngine, newEngine, results, at }: ReportInput, summary: Summary): string {
  const policy = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${oldEngine} → ${newEngine}</title><style>${new Html(style)}</style></head><body>
<header><h1>${oldEngine} <span>→</span> ${newEngine}</h1>
<p>${at.toISOString().slice(0, 16).replace('T', ' ')} UTC${missing(summary)}</p>
<div class="tiles">${tile('different', summary.different)}${tile('equal', summary.equal)}${tile('not compared', summary.notCompared)}${tile('failed', summary.failed)}</div></header>
<nav><input id="text" type="search" placeholder="Filter by name" aria-label="Filter by name">
<select id="outcome" aria-label="Outcome"><option value="">All outcomes</option><option selected>different</option><option>equal</option><option>not compared</option><option>failed</option></select>
<select id="measure" aria-label="Difference"><option value="">All differences</option>${filterNames.map((name) => html`<option>${name}</option>`)}</select>
<output id="shown"></output></nav>
<table><thead><tr><th>Document</th><th>Outcome</th><th>Pages</th><th>Words lost / added</th><th>On another page</th><th>Moved by</th><th>Restyled</th><th>Fonts</th><th>Links</th><th>Pixels</th></tr></thead>
${results.map(caseRows)}</table>
<script>${new Html(script)}</script></body></html>
`;
  return page.text;
}

const filterNames = ['failure', ...measureNames];

const missing = ({ missing: count }: Summary): string =>
  count === 0 ? '' : `, interrupted: ${count} documents are missing; run the same command again to continue`;

const tile = (name: string, count: number): Html =>
  html`<div class="tile ${name.replace(' ', '-')}"><b>${count}</b> ${name}</div>`;

function caseRows(result: CaseResult): Html {
  const { title, outcome, comparison, oldFailure, newFailure } = result;
  const hasFailure = oldFailure !== undefined || newFailure !== undefined;
  const exceeded = [...(hasFailure ? ['failure'] : []), ...(comparison?.exceeded ?? [])];
  const cells = comparison === undefined ? html`<td colspan="8">${whyNot(result)}</td>` : measureCells(comparison);
  const row = html`<tr class="case"><td><button type="button" aria-expanded="false">${title}</button></td><td><span class="outcome">${outcome}</span></td>${cells}</tr>`;
  const detail = html`<tr class="detail" hidden><td colspan="10">${details(result)}</td></tr>`;
  return html`<tbody class="${outcome.replace(' ', '-')}" data-outcome="${outcome}" data-title="${title.toLowerCase()}" data-exceeded="${exceeded.join('|')}">${row}${detail}</tbody>
`;
}

function measureCells(found: PdfComparison): Html {
  const cell = (text: string, ...names: readonly PdfComparison['exceeded'][number][]): Html =>
    html`<td class="${names.some((name) => found.exceeded.includes(name)) ? 'exceeded' : ''}">${text}</td>`;
  const { words } = found;
  const pages = found.oldPages === found.newPages ? `${found.oldPages}` : `${found.oldPages} → ${found.newPages}`;
  return html`${cell(pages, 'pages', 'page size')}${cell(`${words.lost} / ${words.added}`, 'lost words', 'added words')}${cell(`${words.repaged}`, 'repaged words')}${cell(points(found.movedPt), 'moved words')}${cell(`${words.restyled}`, 'restyled words')}${cell(`${found.fontsLost.length + found.fontsAdded.length}`, 'fonts')}${cell(`${found.linksLost.length + found.linksAdded.length}`, 'links')}${cell(percent(found.pixelShare), 'pixels')}`;
}

const points = (pt: number): string => `${pt.toFixed(1)} pt`;
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

function whyNot({ problem, oldFailure, newFailure }: CaseResult): Html {
  const side = (name: string, failure: Failure | undefined): Html =>
    failure === undefined ? html`` : html`<div>${name}: ${failure.message} <small>(${failure.code})</small></div>`;
  return html`${problem ?? ''}${side('Old engine', oldFailure)}${side('New engine', newFailure)}`;
}

function details({ id, templateId, content, comparison, oldMs, newMs, ...rest }: CaseResult): Html {
  const facts = [
    ...(templateId === undefined ? [] : [`Template ${templateId}`]),
    ...(content === undefined ? [] : [`Content: ${content}`]),
    ...(oldMs === undefined || newMs === undefined ? [] : [`Converted in ${oldMs} ms → ${newMs} ms`]),
  ];
  const head = html`<p class="facts">${facts.join(' · ')}</p>`;
  if (comparison === undefined) return html`${head}${whyNot({ id, ...rest } as CaseResult)}`;
  const { words, fontsLost, fontsAdded, linksLost, linksAdded, pages, comparedPages } = comparison;
  const placed = (list: readonly { text: string; page: number }[]): string =>
    list.map(({ text, page }) => `${text} (p. ${page})`).join(', ');
  const moved = words.farthest.slice(0, 10).map(({ text, page, byPt }) => `${text} (p. ${page}, ${points(byPt)})`);
  const restyled = words.firstRestyled.map(({ text, page, styles }) => `${text} (p. ${page}, ${styles})`);
  return html`${head}<dl>${[
    listOf('Words lost', placed(words.firstLost), words.lost),
    listOf('Words added', placed(words.firstAdded), words.added),
    listOf('On another page', placed(words.firstRepaged.slice(0, 10)), words.repaged),
    listOf('Moved', moved.join(', '), words.moved),
    listOf('Restyled', restyled.slice(0, 10).join(', '), words.restyled),
    listOf('Fonts lost', fontsLost.join(', '), fontsLost.length),
    listOf('Fonts added', fontsAdded.join(', '), fontsAdded.length),
    listOf('Links lost', linksLost.join(', '), linksLost.length),
    listOf('Links added', linksAdded.join(', '), linksAdded.length),
  ]}</dl>${pages.map((page) => pagePictures(id, page))}<p class="facts">Pixels of ${comparedPages} pages were compared.</p>`;
}

const listOf = (name: string, text: string, count: number): Html =>
  count === 0 ? html`` : html`<dt>${name} (${count})</dt><dd>${text}</dd>`;

function pagePictures(caseId: string, { page, pixelShare, movedPt, pictures }: PdfComparison['pages'][number]): Html {
  const picture = (name: string, file: string | undefined): Html => {
    if (file === undefined) return html`<figure><figcaption>${name}: none</figcaption></figure>`;
    const path = `cases/${encodeURIComponent(caseId)}/${encodeURIComponent(file)}`;
    return html`<figure><figcaption>${name}</figcaption><a href="${path}"><img loading="lazy" src="${path}" alt="Page ${page}, ${name.toLowerCase()}"></a></figure>`;
  };
  return html`<section><h3>Page ${page} <small>${percent(pixelShare)} of pixels, words moved by ${points(movedPt)}</small></h3><div class="pictures">${picture('Old', pictures.old)}${picture('New', pictures.new)}${picture('Difference', pictures.difference)}</div></section>`;
}
