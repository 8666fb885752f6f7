import { useMemo, useState } from 'preact/hooks';
import { createSessionMemory } from '../../session/session-memory.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { type Choices, withoutFormats } from '../mapping/choices.ts';
import { countElements, type FieldSource, type Mapping, matchColumns } from '../mapping/match-columns.ts';
import { type Corrections, planRows, type RowPlan } from '../mapping/row-plan.ts';
import { fieldsOf, type TemplateFields } from '../mapping/template-fields.ts';
import { keyOf } from '../path.ts';

/** The choices made in this tab, by template and header. */
const choicesByHeader = createSessionMemory<Choices>(20);

interface MappingState {
  readonly template: TemplateFields;
  readonly choices: Choices;
  readonly mapping: Mapping;
  readonly plan: RowPlan;
  /** Whether the choices come from an earlier file. */
  readonly isRestored: boolean;
  readonly change: (key: string, source: FieldSource | undefined) => void;
  readonly addElement: (listKey: string) => void;
}

/**
 * Which column fills which tag. Columns are matched by name, can be changed by hand, and are remembered for the next
 * file with the same header, except for the formats: another file may be written in another way.
 *
 * @param offered the choices of the batch from which the file has its rows
 */
export function useMapping(
  templateId: string,
  schema: unknown,
  file: InspectedFile,
  { offered, corrections }: { readonly offered: Choices | undefined; readonly corrections: Corrections },
): MappingState {
  const header = JSON.stringify([templateId, file.format.kind, file.columns.map(({ name }) => name)]);
  const remembered = offered ?? choicesByHeader.get(header);
  const [state, setState] = useState<{
    readonly header: string;
    readonly choices: Choices;
    readonly isRestored: boolean;
  }>();
  const isCurrent = state?.header === header;
  const choices = useMemo(
    () => (isCurrent ? state.choices : (remembered ?? firstChoices(schema, file))),
    [isCurrent, state, remembered, schema, file],
  );
  const template = useMemo(() => fieldsOf(schema, choices.elements), [schema, choices.elements]);
  const plan = useMemo(
    () => planRows(file, schema, template.fields, choices.mapping, corrections),
    [file, schema, template, choices.mapping, corrections],
  );
  const choose = (next: Choices): void => {
    choicesByHeader.set(header, withoutFormats(next));
    setState({ header, choices: next, isRestored: false });
  };
  return {
    template,
    choices,
    mapping: choices.mapping,
    plan,
    isRestored: !isCurrent && remembered !== undefined,
    change: (key, source) => {
      const mapping = new Map(choices.mapping);
      if (source === undefined) mapping.delete(key);
      else mapping.set(key, source);
      choose({ ...choices, mapping });
    },
    addElement: (listKey) => {
      const elements = new Map(choices.elements);
      elements.set(listKey, (elements.get(listKey) ?? 1) + 1);
      choose({ ...choices, elements });
    },
  };
}

function firstChoices(schema: unknown, file: InspectedFile): Choices {
  const elements = file.format.kind === 'csv' ? countElements(file.columns) : undefined;
  for (const { key } of fieldsOf(schema, elements).lists) {
    // If the file has a column for the list itself, such as passed, the list is read from that one cell.
    if (elements?.has(key) === false && hasColumn(file, key)) elements.set(key, 0);
  }
  return { elements, mapping: matchColumns(fieldsOf(schema, elements).fields, file.columns) };
}

function hasColumn({ columns }: InspectedFile, key: string): boolean {
  return columns.some(({ path }) => path !== undefined && keyOf(path) === key);
}
