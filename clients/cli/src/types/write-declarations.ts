import { isRecord } from '../json-value.ts';
import { commentText, type JsonSchema, quoted, typeOfSchema } from './type-of-schema.ts';

/** A template and the schema of its data; without a schema, any object is allowed. */
export interface TypedTemplate {
  readonly id: string;
  readonly name: string;
  readonly schema: JsonSchema | undefined;
}

export interface Declarations {
  /** The whole file. It depends only on the ids, names and schemas of the templates, not on their order or versions. */
  readonly text: string;
  /** The type name of each template, by template id. */
  readonly typeNames: ReadonlyMap<string, string>;
  /** Names that several templates share; these templates are typed by id only. */
  readonly repeatedNames: readonly string[];
}

/** The first line of each generated file; a file without it is not replaced. */
export const declarationsMark = '// Written by docmill types: run it again when a template changes.';

const mapName = 'DocmillTemplates';

/** A declaration file with one type per template, and the mapping from ids and names to types. */
export function writeDeclarations(templates: readonly TypedTemplate[]): Declarations {
  const sorted = [...templates].sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  const typeNames = new Map<string, string>();
  const taken = new Set([mapName]);
  const counts = new Map<string, number>();
  for (const { id, name } of sorted) {
    const typeName = freeName(typeNameOf(name), taken);
    taken.add(typeName);
    typeNames.set(id, typeName);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const types = sorted.map((template) => writeTemplate(template, typeNames.get(template.id) ?? ''));
  const entries = sorted.flatMap(({ id, name }) => {
    const typeName = typeNames.get(id) ?? '';
    const keys = counts.get(name) === 1 ? [id, name] : [id];
    return keys.map((key) => `  ${quoted(key)}: ${typeName};`);
  });
  const blocks = [
    `${declarationsMark}\n/* eslint-disable */`,
    ...types,
    `// Only what is exported can be imported, so that several such files never collide.\nexport {};`,
    `/** Which data each template takes. */\ninterface ${mapName} {\n${entries.map((entry) => `${entry}\n`).join('')}}`,
    // Uses a unique name, because within the block, names such as Document and Batch refer to the client's types.
    `declare module '@docmill/client' {\n  interface TemplateTypes extends ${mapName} {}\n}`,
  ];
  const repeatedNames = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  return { text: `${blocks.join('\n\n')}\n`, typeNames, repeatedNames };
}

function writeTemplate({ name, schema }: TypedTemplate, typeName: string): string {
  const comment = `/** The data of ${commentText(name)}. */`;
  // The service notes omitted names in a comment of the schema.
  const isCut = isRecord(schema) && schema.$comment !== undefined;
  const type = schema === undefined ? 'object' : typeOfSchema(schema, isCut);
  const isInterface =
    type.startsWith('{') && isRecord(schema) && !('anyOf' in schema || 'oneOf' in schema || 'allOf' in schema);
  return isInterface
    ? `${comment}\nexport interface ${typeName} ${type}`
    : `${comment}\nexport type ${typeName} = ${type};`;
}

/** `monthly invoice_2.docx` becomes `MonthlyInvoice2`. */
function typeNameOf(fileName: string): string {
  const words = fileName
    .normalize('NFC')
    .replace(/\.docx$/i, '')
    .split(/[^\p{ID_Continue}]+|_+/u);
  const name = words.map((word) => word.replace(/^./u, (first) => first.toUpperCase())).join('');
  return /^\p{ID_Start}/u.test(name) ? name : `Template${name}`;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  return name;
}

/** Compares code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
