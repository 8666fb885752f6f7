import type { FieldSource, Mapping } from './match-columns.ts';
import { type RowPlan, readFormat } from './row-plan.ts';
import type { TemplateField } from './template-fields.ts';

/** What the user chose for the columns of a file. */
export interface Choices {
  readonly elements: ReadonlyMap<string, number> | undefined;
  readonly mapping: Mapping;
}

/** The choices with the formats that the cells of the whole file decided, for a file that has only some of its rows. */
export function withFormats(
  { elements, mapping }: Choices,
  file: Pick<RowPlan['file'], 'columns'>,
  fields: readonly TemplateField[],
): Choices {
  const types = new Map(fields.map(({ key, type }) => [key, type]));
  return {
    elements,
    mapping: mapSources(mapping, (source, key) => {
      const { format } = readFormat(file, source, types.get(key) ?? 'text');
      return source.kind === 'column' ? { ...source, format } : source;
    }),
  };
}

/** The choices for another file with the same columns, whose cells may be written in another way. */
export function withoutFormats({ elements, mapping }: Choices): Choices {
  return {
    elements,
    mapping: mapSources(mapping, (source) =>
      source.kind === 'column' ? { kind: source.kind, column: source.column } : source,
    ),
  };
}

function mapSources(mapping: Mapping, change: (source: FieldSource, key: string) => FieldSource): Mapping {
  return new Map([...mapping].map(([key, source]) => [key, change(source, key)]));
}
