import type { CellType } from '../../../shared/cells/cell-type.ts';
import type { CellFormat } from '../../../shared/cells/read-cell.ts';
import { readCell } from '../../../shared/cells/read-cell.ts';
import { batchTexts } from '../../texts/batches.ts';
import { cellTexts } from '../../texts/cells.ts';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import type { FieldSource } from '../mapping/match-columns.ts';
import { readFormat } from '../mapping/row-plan.ts';
import type { TemplateField } from '../mapping/template-fields.ts';

interface FieldLineProps {
  readonly file: InspectedFile;
  readonly field: TemplateField;
  readonly source: FieldSource | undefined;
  readonly onChange: (key: string, source: FieldSource | undefined) => void;
}

export const nameOf = (column: Column | undefined, index: number): string =>
  column?.name || batchTexts.unnamed(index + 1);

/** A tag, the source of its value, and how that is read. */
export function FieldLine({ file, field, source, onChange }: FieldLineProps) {
  const isYesNo = field.type === 'yesNo';
  const choose = (value: string): void => {
    if (value === '') onChange(field.key, undefined);
    else if (value === 'parts') onChange(field.key, { kind: 'parts' });
    else if (value === 'text') onChange(field.key, { kind: 'text', text: isYesNo ? 'no' : '' });
    else onChange(field.key, { kind: 'column', column: Number(value) });
  };
  const chosen = source === undefined ? '' : source.kind === 'column' ? String(source.column) : source.kind;
  return (
    <tr>
      <th scope="row" class="mono">
        {field.name}
      </th>
      <td>
        <div class="source">
          <select
            aria-label={batchTexts.sourceOf(field.name)}
            value={chosen}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            <option value="">{batchTexts.noValue}</option>
            {source?.kind === 'parts' && <option value="parts">{batchTexts.asInFile}</option>}
            <option value="text">{batchTexts.fixedText}</option>
            <optgroup label={batchTexts.columns}>
              {file.columns.map((column, index) => (
                <option key={index} value={String(index)}>
                  {nameOf(column, index)}
                </option>
              ))}
            </optgroup>
          </select>
          {source?.kind === 'text' && <FixedText field={field} text={source.text} onChange={onChange} />}
          {source?.kind === 'column' && <ColumnSource file={file} field={field} source={source} onChange={onChange} />}
        </div>
      </td>
    </tr>
  );
}

interface FixedTextProps extends Pick<FieldLineProps, 'field' | 'onChange'> {
  readonly text: string;
}

function FixedText({ field, text, onChange }: FixedTextProps) {
  const set = (next: string) => onChange(field.key, { kind: 'text', text: next });
  const label = batchTexts.fixedTextOf(field.name);
  if (field.type === 'yesNo') {
    return (
      <select aria-label={label} value={text} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {Object.entries(batchTexts.fixedAnswers).map(([value, answer]) => (
          <option key={value} value={value}>
            {answer}
          </option>
        ))}
      </select>
    );
  }
  return (
    <>
      <input
        aria-label={label}
        value={text}
        maxLength={10_000}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <ReadAs cell={text} type={field.type} format={undefined} />
    </>
  );
}

interface ColumnSourceProps extends Pick<FieldLineProps, 'file' | 'field' | 'onChange'> {
  readonly source: Extract<FieldSource, { readonly kind: 'column' }>;
}

/**
 * The format of a column's cells, with an example and its value. JSON values need no format, because they have types.
 */
function ColumnSource({ file, field, source, onChange }: ColumnSourceProps) {
  const column = file.columns[source.column];
  const isRead = file.format.kind === 'csv' && field.type !== 'text';
  const { format, isUnclear, example } = readFormat(file, source, field.type);
  const cell = example ?? column?.example ?? '';
  const choices = cellTexts.cellFormats[field.type];
  return (
    <>
      {isRead && (
        <select
          class={isUnclear ? 'unclear' : undefined}
          aria-label={cellTexts.formatOf(field.name)}
          value={format ?? ''}
          onChange={({ currentTarget }) =>
            onChange(field.key, { ...source, format: choices.find(([value]) => value === currentTarget.value)?.[0] })
          }
        >
          {isUnclear && <option value="">{cellTexts.chooseFormat}</option>}
          {!isUnclear && format === undefined && <option value="">{cellTexts.oneMeaning[field.type]}</option>}
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
      <span class="example muted small">{cell}</span>
      {isRead && <ReadAs cell={cell} type={field.type} format={format} />}
    </>
  );
}

interface ReadAsProps {
  readonly cell: string;
  readonly type: CellType;
  readonly format: CellFormat | undefined;
}

/** The value of a cell, if it is not simply the cell's text. */
export function ReadAs({ cell, type, format }: ReadAsProps) {
  if (type === 'text' || cell.trim() === '') return null;
  return <em class="small muted">{cellTexts.readAs(readCell(cell, type, format))}</em>;
}
