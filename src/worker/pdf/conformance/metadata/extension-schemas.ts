import type { Xmp, XmpProperty, XmpValue } from './read-xmp.ts';
import { hasType, type StructuredType, type StructuredTypes, structuredTypes } from './xmp-types.ts';

const pdfa = 'http://www.aiim.org/pdfa/ns/';
export const extensionNamespace = `${pdfa}extension/`;

/** A part of a description: its namespace, the prefix that it must have, and its required and optional fields. */
interface Part {
  readonly namespace: string;
  readonly prefix: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const schemaPart: Part = {
  namespace: `${pdfa}schema#`,
  prefix: 'pdfaSchema',
  required: ['schema', 'namespaceURI', 'prefix'],
  optional: ['property', 'valueType'],
};
const propertyPart: Part = {
  namespace: `${pdfa}property#`,
  prefix: 'pdfaProperty',
  required: ['name', 'valueType', 'category', 'description'],
  optional: [],
};
const typePart: Part = {
  namespace: `${pdfa}type#`,
  prefix: 'pdfaType',
  required: ['type', 'namespaceURI', 'prefix', 'description'],
  optional: ['field'],
};
const fieldPart: Part = {
  namespace: `${pdfa}field#`,
  prefix: 'pdfaField',
  required: ['name', 'valueType', 'description'],
  optional: [],
};

export interface ExtensionSchemas {
  /** Properties with their types by namespace. */
  readonly schemas: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The predefined structures and those that the descriptions define. */
  readonly types: StructuredTypes;
  /** What is wrong with the descriptions, such as "pdfaSchema:prefix". */
  readonly faults: readonly string[];
}

/** Reads the descriptions of schemas (ISO 19005-2, 6.6.2.3.2 and 6.6.2.3.3). */
export function readExtensionSchemas({ properties }: Xmp): ExtensionSchemas {
  const schemas = new Map<string, Map<string, string>>();
  const types = new Map<string, StructuredType>(structuredTypes);
  const faults: string[] = [];
  const containers = properties.filter(({ namespace }) => namespace === extensionNamespace);
  for (const { name, prefix, value } of containers) {
    if (name !== 'schemas' || prefix !== 'pdfaExtension') faults.push(`${prefix}:${name}`);
    for (const schema of itemsOf(value, 'Bag', 'pdfaExtension:schemas', faults)) {
      const part = readPart(schema, schemaPart, faults);
      for (const type of itemsOf(part.get('valueType'), 'Seq', 'pdfaSchema:valueType', faults)) {
        const described = readPart(type, typePart, faults);
        const fields = itemsOf(described.get('field'), 'Seq', 'pdfaType:field', faults).map((field) => {
          const { name: fieldName, type: fieldType } = nameAndType(readPart(field, fieldPart, faults));
          return [fieldName, fieldType] as const;
        });
        types.set(textOf(described, 'type'), { namespace: textOf(described, 'namespaceURI'), fields: new Map(fields) });
      }
      const own = new Map(schemas.get(textOf(part, 'namespaceURI')));
      for (const property of itemsOf(part.get('property'), 'Seq', 'pdfaSchema:property', faults)) {
        const described = readPart(property, propertyPart, faults);
        const { name: propertyName, type } = nameAndType(described);
        if (!['internal', 'external'].includes(textOf(described, 'category'))) faults.push('pdfaProperty:category');
        own.set(propertyName, type);
      }
      schemas.set(textOf(part, 'namespaceURI'), own);
    }
  }
  return { schemas, types, faults };
}

function itemsOf(
  value: XmpValue | undefined,
  form: 'Bag' | 'Seq',
  name: string,
  faults: string[],
): readonly XmpValue[] {
  if (value === undefined) return [];
  if (value.kind === 'array' && value.form === form) return value.items;
  faults.push(name);
  return [];
}

/** The fields of a part by name. Other fields, other prefixes and missing fields are faults. */
function readPart(value: XmpValue, part: Part, faults: string[]): ReadonlyMap<string, XmpValue> {
  const { namespace, prefix, required, optional } = part;
  const fields: readonly XmpProperty[] = value.kind === 'structure' ? value.fields : [];
  for (const field of fields) {
    const isKnown = field.namespace === namespace && [...required, ...optional].includes(field.name);
    const isText = optional.includes(field.name) || hasType(field.value, 'Text', structuredTypes) === true;
    if (!isKnown || field.prefix !== prefix || !isText) faults.push(`${field.prefix}:${field.name}`);
  }
  const found = new Map(fields.map(({ name, value: own }) => [name, own]));
  faults.push(...required.filter((name) => !found.has(name)).map((name) => `${prefix}:${name}`));
  return found;
}

function textOf(fields: ReadonlyMap<string, XmpValue>, name: string): string {
  const value = fields.get(name);
  return value?.kind === 'text' ? value.text : '';
}

function nameAndType(fields: ReadonlyMap<string, XmpValue>): { readonly name: string; readonly type: string } {
  return { name: textOf(fields, 'name'), type: toType(textOf(fields, 'valueType')) };
}

/** Descriptions write types as the XMP specification does: "seq Text", "Lang Alt", "closed choice of Integer". */
function toType(written: string): string {
  if (/^lang alt$/i.test(written)) return 'Alt|Lang';
  const type = written.replace(/^(open |closed )?choice of /i, '');
  const [, form = '', items] = /^(bag|seq|alt) (.+)$/i.exec(type) ?? [];
  if (items === undefined) return /^(open |closed )?choice$/i.test(type) ? 'Choice' : type;
  return `${form.charAt(0).toUpperCase()}${form.slice(1).toLowerCase()}|${toType(items)}`;
}
