import { invoiceModel } from '@docmill/einvoice';

/** A field of the invoice model, with the business term or group that its description names. */
export interface TermField {
  /** The keys from the group that contains it. */
  readonly keys: readonly string[];
  readonly kind: 'text' | 'number';
  readonly isRequired: boolean;
  /** Whether all objects that contain it within the group are required. */
  readonly isAlways: boolean;
}

/** The terms of the invoice, or of an entry of a list. */
export interface TermGroup {
  readonly terms: ReadonlyMap<string, TermField>;
  /** The lists by the group or term that names their entries. */
  readonly lists: ReadonlyMap<string, TermList>;
}

export interface TermList {
  readonly keys: readonly string[];
  readonly entry: TermGroup;
  readonly isRequired: boolean;
}

/** The parts of a zod schema that describe its fields. */
interface Described {
  readonly description?: string | undefined;
  readonly def: {
    readonly type: string;
    readonly innerType?: Described;
    readonly in?: Described;
    readonly element?: Described;
    readonly shape?: Readonly<Record<string, Described>>;
  };
}

interface Unwrapped {
  readonly schema: Described;
  readonly term: string | undefined;
  readonly isRequired: boolean;
}

const termPattern = /\((B[TG]-\d+(?:-\d+)?)\)/;

function unwrap(written: Described): Unwrapped {
  let schema = written;
  let description: string | undefined;
  let isRequired = true;
  for (;;) {
    description ??= schema.description;
    const { type, innerType, in: input } = schema.def;
    if (type === 'optional' || type === 'default') isRequired = false;
    const inner = type === 'pipe' ? input : innerType;
    if (inner === undefined) return { schema, term: termPattern.exec(description ?? '')?.[1], isRequired };
    schema = inner;
  }
}

function readGroup(schema: Described): TermGroup {
  const terms = new Map<string, TermField>();
  const lists = new Map<string, TermList>();
  const visit = (shape: Readonly<Record<string, Described>>, keys: readonly string[], isAlways: boolean): void => {
    for (const [key, written] of Object.entries(shape)) {
      const { schema: field, term, isRequired } = unwrap(written);
      const path = [...keys, key];
      const { type, element, shape: inner } = field.def;
      if (type === 'array' && element !== undefined) {
        const entry = unwrap(element);
        const group = readGroup(entry.schema);
        const name = entry.term ?? term ?? group.terms.keys().next().value;
        if (name !== undefined) lists.set(name, { keys: path, entry: group, isRequired });
      } else if (type === 'object' && inner !== undefined) {
        visit(inner, path, isAlways && isRequired);
      } else if (term !== undefined) {
        terms.set(term, { keys: path, kind: type === 'union' ? 'number' : 'text', isRequired, isAlways });
      }
    }
  };
  visit(schema.def.shape ?? {}, [], true);
  return { terms, lists };
}

/** The business terms of an invoice, read from the descriptions of its model. */
export const invoiceTerms: TermGroup = readGroup(unwrap(invoiceModel as unknown as Described).schema);
