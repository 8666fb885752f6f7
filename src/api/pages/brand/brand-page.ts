import type { Brand } from './brand.ts';

/**
 * A page with the operator's name, logo, colours and help link. The builds of the console (`src/console/index.html`)
 * and of the guide (`tools/site/write-page.ts`) write the elements that are replaced.
 *
 * @param path of the page, relative to the root of the service, such as `guide/index.html`
 */
export function brandPage(html: string, path: string, brand: Brand | undefined): string {
  if (brand === undefined) return html;
  const root = '../'.repeat(path.split('/').length - 1) || './';
  let page = html;
  if (brand.name !== undefined) {
    const name = escapeHtml(brand.name);
    page = page
      .replace(/Docmill(?=(?: guide| API| console)?<\/title>)/, () => name)
      .replace('name="application-name" content="Docmill"', () => `name="application-name" content="${name}"`)
      .replace(/(<a class="brand"[^>]*><img [^>]*>)Docmill/, (_, before: string) => `${before}${name}`)
      .replace('<footer>Docmill ', () => `<footer>${name} `);
  }
  const { logo } = brand;
  if (logo !== undefined) {
    const address = `${root}brand/logo?v=${logo.hash}`;
    page = page
      .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${address}" type="${logo.contentType}">`)
      .replace(/(<a class="brand"[^>]*><img src=")[^"]*/, (_, before: string) => `${before}${address}`);
  }
  const links: string[] = [];
  if (brand.style !== undefined) links.push(`<link rel="stylesheet" href="${root}brand/accent.css">`);
  if (brand.helpUrl !== undefined) {
    const address = escapeHtml(brand.helpUrl);
    links.push(`<link rel="help" href="${address}">`);
    page = page.replace('>Console</a></nav>', () => `>Console</a><a href="${address}">Help</a></nav>`);
  }
  return page.replace('</head>', () => `${links.map((link) => `${link}\n`).join('')}</head>`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
