import { parseExactly } from '../json-editor/parse-data.ts';
import { type RequestOptions, toBody } from './requests.ts';

export const codeLanguages = ['curl', 'typescript', 'python', 'cli'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

export interface CopiedRequest {
  readonly serviceUrl: string;
  readonly templateId: string;
  readonly version: number | undefined;
  /** The data as JSON text, in which numbers keep their digits. */
  readonly dataText: string;
  readonly options: RequestOptions;
}

interface ReadyRequest extends Omit<CopiedRequest, 'options'> {
  /** The body of the generate request. */
  readonly body: string;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  readonly callbackUrl: string | undefined;
  /** The path that the document is written to. */
  readonly file: string;
}

/** Code that sends the same request as the Generate button. It reads the key from the variable DOCMILL_API_KEY. */
export function codeFor(language: CodeLanguage, { options, ...request }: CopiedRequest): string {
  const { output, callbackUrl } = toBody(options, false);
  const rest = JSON.stringify({ output, callbackUrl }, null, 2);
  // Embeds the text of the data itself, because its numbers keep their digits.
  const body = `{\n"data": ${request.dataText.trim()}${rest === '{}' ? '\n' : `,${rest.slice(1, -1)}`}}`;
  const file = output?.format === 'pdf' ? 'document.pdf' : 'document.docx';
  return writers[language]({ ...request, output, callbackUrl, body, file });
}

const writers: Readonly<Record<CodeLanguage, (request: ReadyRequest) => string>> = {
  curl: ({ serviceUrl, templateId, version, body, file }) => {
    const query = version === undefined ? '' : `?version=${version}`;
    return [
      `curl --fail-with-body ${shellText(`${serviceUrl}/v1/templates/${templateId}/generate${query}`)} \\`,
      '  --header "Authorization: Bearer $DOCMILL_API_KEY" \\',
      "  --header 'Content-Type: application/json' \\",
      `  --output ${file} \\`,
      `  --data-binary ${shellText(body)}`,
      '',
    ].join('\n');
  },
  typescript: ({ serviceUrl, templateId, version, dataText, output, callbackUrl, file }) => {
    const options = { ...output, version, callbackUrl };
    return [
      "import { writeFile } from 'node:fs/promises';",
      "import { Docmill } from '@docmill/client';",
      '',
      `const docmill = new Docmill({ baseUrl: ${JSON.stringify(serviceUrl)}, apiKey: process.env.DOCMILL_API_KEY ?? '' });`,
      `const data = ${scriptJson(dataText)};`,
      `const options = ${scriptText(JSON.stringify(options, null, 2))} as const;`,
      `const document = await docmill.templates.generate('${templateId}', data, options);`,
      `await writeFile('${file}', await document.bytes());`,
      '',
    ].join('\n');
  },
  python: ({ serviceUrl, templateId, version, dataText, output, callbackUrl, file }) => {
    const extra = [
      ...(output === undefined ? [] : [`    output=${pythonValue(output, '    ')},`]),
      ...(version === undefined ? [] : [`    version=${version},`]),
      ...(callbackUrl === undefined ? [] : [`    callback_url=${JSON.stringify(callbackUrl)},`]),
    ];
    return [
      'import os',
      '',
      'from docmill import Docmill',
      '',
      `data = ${pythonValue(parseExactly(dataText), '')}`,
      '',
      `with Docmill(api_key=os.environ["DOCMILL_API_KEY"], base_url=${JSON.stringify(serviceUrl)}) as client:`,
      '    document = client.templates.generate(',
      `        ${JSON.stringify(templateId)},`,
      '        data,',
      ...extra.map((line) => line.replaceAll('\n', '\n    ')).map((line) => `    ${line}`),
      '    )',
      `    document.save(${JSON.stringify(file)})`,
      '',
    ].join('\n');
  },
  cli: ({ serviceUrl, templateId, version, dataText, output, file, callbackUrl }) => {
    const flags = cliFlags(output ?? {});
    const lines = [
      `export DOCMILL_URL=${shellText(serviceUrl)}`,
      `docmill generate ${templateId} --data - --output ${file} \\`,
      ...[...flags.given, ...(version === undefined ? [] : [`--template-version ${version}`])].map(
        (flag) => `  ${flag} \\`,
      ),
      `<<'END_OF_DATA'`,
    ];
    const missing = [...flags.missing, ...(callbackUrl === undefined ? [] : ['callbackUrl'])];
    const note = missing.length === 0 ? [] : [`# The command line has no option for: ${missing.join(', ')}`];
    return [...note, ...lines, dataText.trim(), 'END_OF_DATA', ''].join('\n');
  },
};

const flagNames: Readonly<Record<string, string>> = {
  format: '--format',
  filename: '--filename',
  locale: '--locale',
  timezone: '--timezone',
  onMissing: '--on-missing',
};

function cliFlags(output: Readonly<Record<string, unknown>>): { given: string[]; missing: string[] } {
  const given: string[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(output)) {
    const flag = flagNames[name];
    if (flag === undefined) missing.push(name);
    else given.push(`${flag} ${shellText(String(value))}`);
  }
  return { given, missing };
}

/** Quotes an argument for a POSIX shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * JSON as a TypeScript expression. `__proto__` would set the prototype in an object literal, so such data is parsed as
 * JSON.
 */
function scriptJson(text: string): string {
  const isPlain = !/"__proto__"|"\\u/.test(text);
  return isPlain ? scriptText(text.trim()) : `JSON.parse(${JSON.stringify(text)})`;
}

/** Escapes line separators, which JSON allows but which break strings of older JavaScript engines. */
function scriptText(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** JSON as a Python literal; only the names of three values differ. */
function pythonValue(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${pythonValue(item, inner)},`).join('\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && !isRawNumber(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    const lines = entries.map(([key, item]) => `${inner}${pythonText(key)}: ${pythonValue(item, inner)},`);
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  return typeof value === 'string' ? pythonText(value) : JSON.stringify(value);
}

/** Writes a lone surrogate as a JSON escape, which Python also accepts. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

function isRawNumber(value: object): boolean {
  return 'isRawJSON' in JSON && (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);
}
