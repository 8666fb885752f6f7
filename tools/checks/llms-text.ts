import type { OpenApiDocument } from '../../src/api/documentation/walk.ts';
import { isObject } from '../../src/shared/json.ts';
import { readSources } from '../site/read-sources.ts';
import { addressOf } from '../site/reference/write-reference.ts';

const summary =
  'Self-hosted document template service: upload a Word template with tags such as {customer.name}, send JSON, get a finished .docx or .pdf back, by HTTP and by e-mail.';

/**
 * Writes `docs/llms.txt` (https://llmstxt.org), which gives language models an overview of the service: links to the
 * documents, in the order of `docs/README.md`, and to every operation of the API. Links are relative to `docs` and to
 * `/guide/`.
 */
export function writeLlmsText(document: OpenApiDocument): string {
  return [
    `# ${document.info.title}`,
    `> ${summary}`,
    asParagraphs(document.info.description ?? ''),
    ...documentSections(),
    ...operationSections(document),
    '## Optional',
    [
      '- [OpenAPI document](../openapi.json): every operation with schemas, examples and errors, for client generators.',
      '- [All guides and the reference in one file](llms-full.txt): about 200 KB.',
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Headings in llms.txt may only introduce lists of links, so the description's headings become bold text. */
function asParagraphs(markdown: string): string {
  return markdown.replace(/^## (.+)$/gm, '**$1**').trim();
}

/** The sections of `docs/README.md`, without links to files outside `docs`. */
function documentSections(): readonly string[] {
  const sources = readSources('.');
  const known = new Set(sources.map(({ file }) => file.replace(/^docs\//, '')));
  const index = sources.find(({ file }) => file === 'docs/README.md')?.markdown ?? '';
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const links = lines.filter((line) => known.has(/^- \[[^\]]+\]\(([^)#]+)\)/.exec(line)?.[1] ?? ''));
      return [`## ${title}`, '', ...links].join('\n');
    })
    .filter((section) => section.includes('\n- '));
}

function operationSections({ tags = [], paths = {} }: OpenApiDocument): readonly string[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]: [string, unknown]) => {
      if (!isObject(operation)) return [];
      const tag = Array.isArray(operation.tags) ? String(operation.tags[0]) : '';
      const [sentence = ''] = String(operation.description ?? '').split(/(?<=\.)\s/);
      const address = addressOf(tag, String(operation.operationId));
      const note = `\`${method.toUpperCase()} ${path}\`. ${sentence}`;
      return [{ tag, line: `- [${String(operation.summary)}](${address}): ${note}` }];
    }),
  );
  return tags.map(({ name, description = '' }) => {
    const lines = operations.filter(({ tag }) => tag === name).map(({ line }) => line);
    return [`## API, ${name}: ${description.replace(/\.$/, '')}`, '', ...lines].join('\n');
  });
}
