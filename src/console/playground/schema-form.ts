/** The form for a value, derived from its JSON Schema. */
export type FormNode =
  | { readonly kind: 'text'; readonly format: string | undefined; readonly isSecret: boolean }
  | {
      readonly kind: 'number';
      readonly isWhole: boolean;
      readonly min: number | undefined;
      readonly max: number | undefined;
    }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'choice';
      readonly options: readonly string[];
      /** What to show for an option; itself by default. */
      readonly labels?: Readonly<Record<string, string>> | undefined;
    }
  /** A picture as base64, or an object that holds one or names a stored picture. */
  | { readonly kind: 'picture' }
  | { readonly kind: 'list'; readonly item: FormNode }
  | { readonly kind: 'object'; readonly fields: readonly FormField[] }
  /** A section, which may be a list, an object, or yes or no; see `nodeFor`. */
  | { readonly kind: 'section'; readonly options: readonly [PlainNode, ...PlainNode[]] }
  /** The schema is missing or too complex for a form: shows a text input, or the JSON value. */
  | { readonly kind: 'any' };

export type PlainNode = Exclude<FormNode, { kind: 'section' }>;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly node: FormNode;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly example: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, unknown>>;

/** Deeper parts are edited as JSON; this also ends the recursion of schemas that contain themselves. */
const maxDepth = 12;

/** The form for a schema; `definitions` are looked up by the last segment of a `$ref`. */
export function formOf(schema: unknown, definitions: Definitions = {}, depth = 0): FormNode {
  if (depth > maxDepth) return { kind: 'any' };
  const own = resolve(schema, definitions);
  const [first, ...others] = sectionTypes(own).map((type) => plainForm({ ...own, type }, definitions, depth));
  return first === undefined ? plainForm(own, definitions, depth) : { kind: 'section', options: [first, ...others] };
}

/** The types of a section, a list first if its items are known: that is easiest to fill. Empty for any other value. */
function sectionTypes({ type, items }: Schema): readonly unknown[] {
  const types = asList(type);
  if (types.length < 2 || !types.includes('boolean')) return [];
  return items === undefined ? types : [...new Set(['array', ...types])];
}

/** The form for a value: for a section, that of the data. */
export function nodeFor(node: FormNode, value: unknown): PlainNode {
  if (node.kind !== 'section') return node;
  const kind = Array.isArray(value) ? 'list' : typeof value === 'boolean' ? 'boolean' : 'object';
  const found = value === undefined || value === null ? undefined : node.options.find((one) => one.kind === kind);
  return found ?? node.options[0];
}

function plainForm(own: Schema, definitions: Definitions, depth: number): PlainNode {
  if (isPicture(own)) return { kind: 'picture' };
  const inner = (part: unknown) => formOf(part, definitions, depth + 1);
  const options = asList(own.enum).filter((value) => typeof value === 'string');
  if (options.length > 0) return { kind: 'choice', options };
  const types = asList(own.type).filter((type) => type !== 'null');
  if (types.length !== 1) return { kind: 'any' };
  switch (types[0]) {
    case 'object':
      return objectForm(own, definitions, depth);
    case 'array':
      return { kind: 'list', item: own.items === undefined ? { kind: 'any' } : inner(own.items) };
    case 'boolean':
      return { kind: 'boolean' };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: types[0] === 'integer',
        min: asNumber(own.minimum),
        max: asNumber(own.maximum),
      };
    case 'string':
      return { kind: 'text', format: asText(own.format), isSecret: own.writeOnly === true };
    default:
      return { kind: 'any' };
  }
}

/** Only pictures are base64. */
function isPicture({ contentEncoding, anyOf }: Schema): boolean {
  const isBase64 = (part: unknown) => (part as Schema).contentEncoding === 'base64';
  return contentEncoding === 'base64' || asList(anyOf).some(isBase64);
}

function objectForm(own: Schema, definitions: Definitions, depth: number): PlainNode {
  const properties = Object.entries((own.properties ?? {}) as Schema);
  if (properties.length === 0) return { kind: 'any' };
  const required = new Set(asList(own.required));
  return {
    kind: 'object',
    fields: properties.map(([name, property]) => {
      const { description, example, ...inner } = resolve(property, definitions);
      // The service's description of a picture explains its base64 encoding, which users of the form need not know. A
      // description by the template's author is shown.
      const isForPrograms = isPicture(inner) && /base64/.test(asText(description) ?? '');
      return {
        name,
        label: labelOf(name),
        node: formOf(property, definitions, depth + 1),
        isRequired: required.has(name),
        description: isForPrograms ? undefined : (asText((property as Schema).description) ?? asText(description)),
        example: typeof example === 'string' || typeof example === 'number' ? String(example) : undefined,
      };
    }),
  };
}

/** Follows `$ref`, and picks the non-null part of `anyOf`. */
function resolve(schema: unknown, definitions: Definitions, depth = 0): Schema {
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return {};
  const own = schema as Schema;
  const name = asText(own.$ref)?.split('/').at(-1);
  if (name !== undefined) return resolve(definitions[name], definitions, depth + 1);
  const parts = asList(own.anyOf).filter((part) => (part as Schema).type !== 'null');
  return parts.length === 1 && own.type === undefined ? { ...resolve(parts[0], definitions, depth + 1) } : own;
}

const abbreviations: ReadonlySet<string> = new Set(['bcc', 'bic', 'cc', 'docx', 'iban', 'id', 'pdf', 'url', 'vat']);

/** Writes `vatNumber` and `vat_number` as `VAT number`; names without letters are unchanged. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  if (words === '') return name;
  const sentence = words
    .split(/\s+/)
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word))
    .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
  const joined = sentence.join(' ');
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}

/** A new item of a list, with empty strings to fill in. */
export function emptyValue(node: FormNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.fields.map(({ name, node: inner }) => [name, emptyValue(inner)]));
    case 'list':
      return [];
    case 'section':
      return emptyValue(node.options[0]);
    case 'boolean':
      return false;
    case 'number':
      return 0;
    case 'choice':
      return node.options[0] ?? '';
    default:
      return '';
  }
}

/** A summary made of the first strings in a value, for a collapsed line. */
export function summaryOf(value: unknown, limit = 80): string {
  const texts: string[] = [];
  const collect = (part: unknown): void => {
    if (texts.join(' · ').length > limit) return;
    if (typeof part === 'string' || typeof part === 'number') {
      if (String(part).trim() !== '') texts.push(String(part).slice(0, limit));
    } else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) collect(inner);
  };
  collect(value);
  const joined = texts.join(' · ');
  return joined.length > limit ? `${joined.slice(0, limit)}…` : joined;
}

const asList = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());
const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
