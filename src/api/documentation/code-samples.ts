import { isObject } from '../../shared/json.ts';
import { contentsOf, type DocumentNode, type OpenApiDocument } from './walk.ts';

/** A request in one language, in the form that viewers of OpenAPI documents show (`x-codeSamples`). */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The parts that all samples of an operation have in common. */
interface SampleRequest {
  readonly method: string;
  /** The path with example values for its parameters. */
  readonly path: string;
  readonly json: unknown;
  /** The fields of a form, including the file. */
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly answer: 'json' | 'file' | 'events' | 'nothing';
  /** Name of the file that is sent. */
  readonly upload: string;
  /** Name of the file that is received. */
  readonly download: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const uploads: Readonly<Record<string, string>> = {
  uploadAsset: 'logo.png',
  uploadFont: 'acme-sans-bold.ttf',
  validateInvoice: 'invoice.xml',
};
const downloads: Readonly<Record<string, string>> = {
  generateDocument: 'invoice.pdf',
  previewTemplate: 'preview.pdf',
  getJobContent: 'invoice.pdf',
  downloadTemplate: 'invoice.docx',
  downloadTemplateVersion: 'invoice.docx',
  getTemplateThumbnail: 'thumbnail.png',
  downloadAsset: 'logo.png',
  getBatchContent: 'invoices.zip',
};

/** Name of the file that the examples of an operation send. */
export function exampleUpload(operationId: string): string {
  return uploads[operationId] ?? 'invoice.docx';
}

/**
 * Adds a sample in curl, TypeScript and Python to every operation. They read the address of the service from the environment
 * variable `URL` and the API key from `KEY`. Throws for an operation whose file has no name.
 */
export function addCodeSamples(document: OpenApiDocument): void {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const operations = new Map<string, unknown>(Object.entries(item));
    for (const method of methods) {
      const operation = operations.get(method);
      if (isObject(operation)) operation['x-codeSamples'] = samplesOf(toRequest(method, path, operation));
    }
  }
}

function samplesOf(request: SampleRequest): readonly CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(request) },
    { lang: 'Python', label: 'Python', source: pythonSample(request) },
  ];
}

function toRequest(method: string, path: string, operation: DocumentNode): SampleRequest {
  const id = String(operation.operationId);
  const bodies = new Map(contentsOf(operation.requestBody));
  const json = bodies.get('application/json')?.example;
  const form = json === undefined ? bodies.get('multipart/form-data')?.example : undefined;
  const upload = exampleUpload(id);
  const fields = Object.entries(isObject(form) ? form : {}).map(
    ([name, value]) => [name, name === 'file' ? `@${upload}` : String(value)] as const,
  );
  const answer = answerOf(operation);
  const download = downloads[id] ?? '';
  if (answer === 'file' && download === '') throw new Error(`The samples of ${id} need a name for its file`);
  return { method, path: withExamples(path, operation), json, form: fields, answer, upload, download };
}

function answerOf({ responses }: DocumentNode): SampleRequest['answer'] {
  // JavaScript sorts numeric property names in ascending order, so the first is the usual response.
  const [, success] = Object.entries(isObject(responses) ? responses : {}).find(([status]) => /^2/.test(status)) ?? [];
  const types = contentsOf(success).map(([type]) => type);
  if (types.length === 0) return 'nothing';
  if (types.includes('application/json')) return 'json';
  return types.includes('text/event-stream') ? 'events' : 'file';
}

/** The path with examples of its parameters and of the required query parameters. */
function withExamples(path: string, { parameters }: DocumentNode): string {
  const query: string[] = [];
  let filled = path;
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    if (!isObject(parameter)) continue;
    const { name, required, schema } = parameter;
    const example = encodeURIComponent(
      String(parameter.example ?? (isObject(schema) ? schema.example : undefined) ?? 1),
    );
    if (parameter.in === 'path') filled = filled.replace(`{${String(name)}}`, example);
    if (parameter.in === 'query' && required === true) query.push(`${String(name)}=${example}`);
  }
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function curlSample({ method, path, json, form, answer, download }: SampleRequest): string {
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const mode = { file: ` -o ${download}`, events: ' -N', json: '', nothing: '' }[answer];
  const lines = [`curl -sS --fail-with-body${mode}${verb} "$URL${path}"`, '-H "Authorization: Bearer $KEY"'];
  if (json !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json, null, 2))}`);
  for (const [name, value] of form) lines.push(`-F ${quoted(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
}

const quoted = (text: string): string => (/^[\w@=./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function typeScriptSample(request: SampleRequest): string {
  const { method, path, json, form, answer, upload, download } = request;
  const imports: string[] = [];
  if (form.length > 0) imports.push("import { openAsBlob } from 'node:fs';");
  if (answer === 'file') imports.push("import { writeFile } from 'node:fs/promises';");
  const fields = form.map(([name, value]) =>
    value === `@${upload}`
      ? `form.append('${name}', await openAsBlob('${upload}'), '${upload}');`
      : `form.append('${name}', '${value}');`,
  );
  const type = json === undefined ? '' : ", 'Content-Type': 'application/json'";
  const options = [
    ...(method === 'get' ? [] : [`  method: '${method.toUpperCase()}',`]),
    `  headers: { Authorization: \`Bearer \${process.env.KEY}\`${type} },`,
    ...(json === undefined ? [] : [`  body: JSON.stringify(${indented(toTypeScript(json))}),`]),
    ...(form.length === 0 ? [] : ['  body: form,']),
  ];
  const reading = {
    json: 'console.log(await response.json());',
    file: `await writeFile('${download}', Buffer.from(await response.arrayBuffer()));`,
    events: 'for await (const part of response.body ?? []) process.stdout.write(part);',
    nothing: '',
  }[answer];
  return [
    ...imports,
    ...(imports.length === 0 ? [] : ['']),
    ...(form.length === 0 ? [] : ['const form = new FormData();', ...fields, '']),
    `const response = await fetch(\`\${process.env.URL}${path}\`, {`,
    ...options,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    ...(reading === '' ? [] : [reading]),
  ].join('\n');
}

function pythonSample(request: SampleRequest): string {
  const { method, path, json, form, answer, upload, download } = request;
  const texts = form.filter(([, value]) => value !== `@${upload}`);
  const files = form
    .filter(([, value]) => value === `@${upload}`)
    .map(([name]) => `"${name}": open("${upload}", "rb")`);
  const address = `f"{os.environ['URL']}${path}"`;
  const options = [
    `    headers={"Authorization": f"Bearer {os.environ['KEY']}"},`,
    ...(json === undefined ? [] : [`    json=${indented(toPython(json), 4)},`]),
    ...(texts.length === 0 ? [] : [`    data=${toPython(Object.fromEntries(texts), false)},`]),
    ...(files.length === 0 ? [] : [`    files={${files.join(', ')}},`]),
    '    timeout=70,',
  ];
  const start = ['import os', 'import httpx', ''];
  if (answer === 'events') {
    const lines = ['    response.raise_for_status()', '    for line in response.iter_lines():', '        print(line)'];
    const call = [
      'with httpx.stream(',
      `    "${method.toUpperCase()}",`,
      `    ${address},`,
      ...options,
      ') as response:',
    ];
    return [...start, ...call, ...lines].join('\n');
  }
  const reading = {
    json: ['print(response.json())'],
    file: [`with open("${download}", "wb") as file:`, '    file.write(response.content)'],
    nothing: [],
  }[answer];
  const call = [`response = httpx.${method}(`, `    ${address},`, ...options, ')', 'response.raise_for_status()'];
  return [...start, ...call, ...reading].join('\n');
}

const indented = (text: string, width = 2): string => text.replaceAll('\n', `\n${' '.repeat(width)}`);

/** JSON with property names unquoted where TypeScript allows it. */
function toTypeScript(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\[^"])*)"(?=[,\n]|$)/g, "'$1'");
}

function toPython(value: unknown, isMultiline = true): string {
  const text = isMultiline ? JSON.stringify(value, null, 4) : JSON.stringify(value);
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (word, string?: string) => string ?? names[word] ?? word,
  );
}
