import { requireContender } from './packages.ts';
import { type Dialect, enclosing, type Section } from './translate.ts';

interface DocxTemplates {
  createReport(options: {
    template: Buffer;
    data: unknown;
    cmdDelimiter: [string, string];
    noSandbox: boolean;
    maximumWalkingDepth: number;
  }): Promise<Uint8Array>;
}

/** Expressions are JavaScript. A loop over rows begins and ends in separate rows. */
export const docxTemplatesDialect: Dialect = {
  value: (path, scopes) => `{INS ${expression(path, scopes)}}`,
  open({ path, kind, isInverse, scopes }) {
    const value = expression(path, scopes);
    return kind === 'list' ? `{FOR ${variable(path)} IN ${value}}` : `{IF ${isInverse ? '!' : ''}(${value})}`;
  },
  close: ({ path, kind }) => (kind === 'list' ? `{END-FOR ${variable(path)}}` : '{END-IF}'),
  finish: (xml) => xml.replaceAll(/<w:tr[ >].*?<\/w:tr>/gs, extractCommands),
};

export function openDocxTemplates(): (template: Buffer, data: unknown) => Promise<Buffer> {
  const { createReport } = requireContender('docx-templates') as DocxTemplates;
  const options = { cmdDelimiter: ['{', '}'] as [string, string], maximumWalkingDepth: 1e9 };
  // The engine is fastest without its sandbox.
  return async (template, data) => Buffer.from(await createReport({ template, data, noSandbox: true, ...options }));
}

function expression(path: string, scopes: readonly Section[]): string {
  const { list, objects } = enclosing(scopes);
  return [...(list === undefined ? [] : [`$${variable(list)}`]), ...objects, path].join('.');
}

function variable(path: string): string {
  return `each_${path.replaceAll('.', '_')}`;
}

const command = /\{(?:FOR|IF|INS|END-FOR|END-IF)\b[^}]*\}/g;

/** Moves a pair of commands that encloses a whole row out of its first and last cells. */
function extractCommands(row: string): string {
  const commands = [...row.matchAll(command)];
  const [first, last] = [commands[0], commands.at(-1)];
  if (first === undefined || last === undefined || !/^\{(?:FOR|IF)/.test(first[0])) return row;
  if (!/^\{END-/.test(last[0]) || !row.slice(first.index, last.index).includes('</w:tc>')) return row;
  const between = row.slice(first.index + first[0].length, last.index);
  const rest = row.slice(0, first.index) + between + row.slice(last.index + last[0].length);
  return rowOf(first[0]) + rest + rowOf(last[0]);
}

function rowOf(text: string): string {
  return `<w:tr><w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc></w:tr>`;
}
