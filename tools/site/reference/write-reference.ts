import type { OpenApiDocument } from '../../../src/api/documentation/walk.ts';
import { isObject } from '../../../src/shared/json.ts';
import type { Source } from '../read-sources.ts';
import { exampleOf, inCell, writeFields, writeType } from './write-schema.ts';

type Node = Readonly<Record<string, unknown>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly node: Node;
}

/**
 * The API reference as Markdown pages: an overview, and one page for each tag of the OpenAPI document with its
 * operations. They pass through the site like the written pages, and so have its navigation, outline and search.
 */
export function writeReference(document: OpenApiDocument): readonly Source[] {
  const operations = operationsOf(document);
  const tags = (document.tags ?? []).map(({ name, description = '' }) => ({ name, description }));
  const ofTag = (tag: string): readonly Operation[] => operations.filter((operation) => operation.tag === tag);
  const overview = [
    '# API reference',
    document.info.description ?? '',
    '## Operations',
    ...tags.map(({ name, description }) => {
      const rows = ofTag(name).map(({ method, path, node }) => {
        const link = `[${String(node.summary)}](${fileOf(name)}#${String(node.operationId)})`;
        return `| ${link} | \`${method} ${path}\` |`;
      });
      return [`### ${name}`, description, table(['operation', 'request'], rows)].join('\n\n');
    }),
  ];
  return [
    toSource('README.md', overview),
    ...tags.map(({ name, description }) =>
      toSource(fileOf(name), [
        `# ${name}`,
        description,
        ...ofTag(name).map((operation) => writeOperation(operation, document)),
      ]),
    ),
  ];
}

/** Where the reference describes an operation, relative to the site. */
export function addressOf(tag: string, operationId: string): string {
  return `api/${fileOf(tag).replace(/md$/, 'html')}#${operationId}`;
}

const fileOf = (tag: string): string => `${tag.toLowerCase()}.md`;

function toSource(name: string, blocks: readonly string[]): Source {
  const url = `api/${name === 'README.md' ? 'index.html' : name.replace(/md$/, 'html')}`;
  return { file: `docs/api/${name}`, url, markdown: `${blocks.filter((block) => block !== '').join('\n\n')}\n` };
}

function operationsOf({ paths = {} }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]: [string, unknown]) => {
      if (!isObject(node)) return [];
      const tag = Array.isArray(node.tags) ? String(node.tags[0]) : '';
      return [{ method: method.toUpperCase(), path, tag, node }];
    }),
  );
}

function writeOperation({ method, path, node }: Operation, document: OpenApiDocument): string {
  const id = String(node.operationId);
  return [
    `<a id="${id}"></a>`,
    `## ${String(node.summary)}`,
    fence(`http operation=${id}`, `${method} ${path}`),
    String(node.description ?? ''),
    writeSamples(node['x-codeSamples']),
    writeParameters(node.parameters),
    writeBody(node.requestBody, document),
    writeResponses(node.responses, document),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** One block for each language; the page shows one at a time. */
function writeSamples(samples: unknown): string {
  return listOf(samples)
    .map(({ lang, label, source }) => fence(`${String(lang).toLowerCase()} sample=${String(label)}`, String(source)))
    .join('\n\n');
}

const places: Readonly<Record<string, string>> = { path: 'in the path', query: 'in the query', header: 'header' };

function writeParameters(parameters: unknown): string {
  const rows = listOf(parameters).map(({ name, required, description, schema, in: place }) => {
    const notes = [places[String(place)] ?? String(place), ...(required === true ? ['required'] : [])].join(', ');
    return `| \`${String(name)}\` | ${writeType(schema)} | ${notes} | ${inCell(description)} |`;
  });
  return rows.length === 0 ? '' : `### Parameters\n\n${table(['name', 'type', 'place', 'meaning'], rows)}`;
}

function writeBody(body: unknown, document: OpenApiDocument): string {
  return contentsOf(body)
    .map(([type, content]) => {
      const example = exampleOf(content);
      return [
        `### Request body: ${type}`,
        writeFields(content.schema, document),
        typeof example === 'object' ? fence('json', JSON.stringify(example, null, 2)) : '',
      ]
        .filter((block) => block !== '')
        .join('\n\n');
    })
    .join('\n\n');
}

/** Successes with their fields, then all errors in one table, because their bodies have one shape. */
function writeResponses(responses: unknown, document: OpenApiDocument): string {
  const all = Object.entries(isObject(responses) ? responses : {}).filter((entry): entry is [string, Node] =>
    isObject(entry[1]),
  );
  const successes = all.filter(([status]) => /^[123]/.test(status)).map(([status, node]) => writeSuccess(status, node));
  const errors = all
    .filter(([status]) => !/^[123]/.test(status))
    .map(([status, { description }]) => `| ${status} | ${inCell(description)} |`);
  return [...successes, errors.length === 0 ? '' : `### Errors\n\n${table(['status', 'meaning'], errors)}`].join(
    '\n\n',
  );

  function writeSuccess(status: string, node: Node): string {
    const headers = Object.entries(isObject(node.headers) ? node.headers : {}).flatMap(([name, header]) =>
      isObject(header) && typeof header.description === 'string'
        ? [`| \`${name}\` | ${inCell(header.description)} |`]
        : [],
    );
    const contents = contentsOf(node);
    const json = contents.find(([type]) => type === 'application/json')?.[1];
    const others = contents.filter(([, content]) => content !== json).map(([type]) => `\`${type}\``);
    const example = exampleOf(json);
    return [
      `### Response ${status}`,
      [String(node.description ?? ''), others.length === 0 ? '' : `Body: ${others.join(' or ')}.`].join(' ').trim(),
      json === undefined ? '' : writeFields(json.schema, document),
      example === undefined ? '' : fence('json', JSON.stringify(example, null, 2)),
      headers.length === 0 ? '' : table(['header', 'meaning'], headers),
    ]
      .filter((block) => block !== '')
      .join('\n\n');
  }
}

function contentsOf(holder: unknown): readonly (readonly [type: string, content: Node])[] {
  if (!isObject(holder) || !isObject(holder.content)) return [];
  return Object.entries(holder.content).filter((entry): entry is [string, Node] => isObject(entry[1]));
}

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isObject) : []);

function table(columns: readonly string[], rows: readonly string[]): string {
  return [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`, ...rows].join('\n');
}

function fence(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}
