import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { readYesOrNo } from '../../../shared/cells/read-yes-or-no.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import { leftOut, type RowPlan } from '../mapping/build-row.ts';
import type { FieldSource, Mapping } from '../mapping/match-columns.ts';
import type { TemplateField, TemplateFields } from '../mapping/template-fields.ts';

const shownFields = 60;

interface MappingStepProps {
  readonly file: InspectedFile;
  readonly template: TemplateFields;
  readonly mapping: Mapping;
  readonly plan: RowPlan;
  readonly isRestored: boolean;
  readonly onChange: (key: string, source: FieldSource | undefined) => void;
  readonly onAddElement: (listKey: string) => void;
}

const nameOf = (column: Column | undefined, index: number): string => column?.name || batchTexts.unnamed(index + 1);

/** A line for each tag, with the source of its value. */
export function MappingStep({ file, template, mapping, plan, isRestored, onChange, onAddElement }: MappingStepProps) {
  const [isMissingOnly, setIsMissingOnly] = useState(false);
  const [shown, setShown] = useState(shownFields);
  const missing = template.fields.filter(({ key }) => !mapping.has(key));
  const visible = isMissingOnly ? missing : template.fields;
  return (
    <>
      {isRestored && <p class="muted small">{batchTexts.restored}</p>}
      <div class="mapping-head">
        <p role="status">
          {missing.length === 0 ? (
            <Badge tone="good">{batchTexts.complete}</Badge>
          ) : (
            <Badge tone="warn">{batchTexts.missing(missing.length)}</Badge>
          )}
        </p>
        {missing.length > 0 && (
          <label class="check small">
            <input
              type="checkbox"
              checked={isMissingOnly}
              onChange={({ currentTarget }) => setIsMissingOnly(currentTarget.checked)}
            />
            {batchTexts.onlyMissing}
          </label>
        )}
      </div>
      <div class="table-scroll">
        <table class="table mapping-table">
          <thead>
            <tr>
              <th scope="col">{batchTexts.tag}</th>
              <th scope="col">{batchTexts.source}</th>
            </tr>
          </thead>
          <tbody>
            {visible.slice(0, shown).map((field) => (
              <FieldLine
                key={field.key}
                file={file}
                field={field}
                source={mapping.get(field.key)}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
      <MoreButton hasMore={visible.length > shown} onMore={() => setShown(shown + shownFields)} />
      {file.format.kind === 'csv' && template.lists.length > 0 && (
        <div class="actions">
          {template.lists.map(({ key, name }) => (
            <Button key={key} variant="quiet" icon={<Plus aria-hidden="true" />} onClick={() => onAddElement(key)}>
              {batchTexts.addElement(name)}
            </Button>
          ))}
        </div>
      )}
      <OtherColumns file={file} template={template} mapping={mapping} plan={plan} />
    </>
  );
}

interface FieldLineProps {
  readonly file: InspectedFile;
  readonly field: TemplateField;
  readonly source: FieldSource | undefined;
  readonly onChange: (key: string, source: FieldSource | undefined) => void;
}

function FieldLine({ file, field, source, onChange }: FieldLineProps) {
  const isQuestion = field.type === 'boolean';
  const choose = (value: string): void => {
    if (value === '') onChange(field.key, undefined);
    else if (value === 'parts') onChange(field.key, { kind: 'parts' });
    else if (value === 'text') onChange(field.key, { kind: 'text', text: isQuestion ? 'no' : '' });
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
          {source?.kind === 'text' && isQuestion && (
            <select
              aria-label={batchTexts.fixedTextOf(field.name)}
              value={source.text}
              onChange={({ currentTarget }) => onChange(field.key, { kind: 'text', text: currentTarget.value })}
            >
              {Object.entries(batchTexts.fixedAnswers).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
          {source?.kind === 'text' && !isQuestion && (
            <input
              aria-label={batchTexts.fixedTextOf(field.name)}
              value={source.text}
              maxLength={10_000}
              onInput={({ currentTarget }) => onChange(field.key, { kind: 'text', text: currentTarget.value })}
            />
          )}
          {source?.kind === 'column' && <Example file={file} field={field} column={source.column} />}
        </div>
      </td>
    </tr>
  );
}

/** The first value of a column, and how it is read if the tag is yes/no. JSON has native values for these. */
function Example({ file, field, column }: Pick<FieldLineProps, 'file' | 'field'> & { readonly column: number }) {
  const example = file.columns[column]?.example ?? '';
  const isRead = field.type === 'boolean' && file.format.kind === 'csv' && example !== '';
  return (
    <span class="example muted small">
      {example} {isRead && <em>{batchTexts.readAs(readYesOrNo(example))}</em>}
    </span>
  );
}

/** Columns that no tag uses, and those that are not sent at all. */
function OtherColumns({
  file,
  template,
  mapping,
  plan,
}: Pick<MappingStepProps, 'file' | 'template' | 'mapping' | 'plan'>) {
  const used = new Set([...mapping.values()].flatMap((source) => (source.kind === 'column' ? [source.column] : [])));
  const parts = template.fields.filter(({ key }) => mapping.get(key)?.kind === 'parts').map(({ path }) => path);
  const isPart = ({ path }: Column) =>
    path !== undefined && parts.some((part) => part.every((key, depth) => path[depth] === key));
  const left = new Set(leftOut(plan));
  const unused = file.columns.filter((column, index) => !used.has(index) && !left.has(column) && !isPart(column));
  const names = file.columns.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => name !== '' && names.indexOf(name) !== index));
  return (
    <>
      {repeated.size > 0 && <p class="note warn small">{batchTexts.repeatedNames([...repeated].join(', '))}</p>}
      {unused.length > 0 && (
        <ColumnList title={batchTexts.unusedTitle(unused.length)} text={batchTexts.unusedText} columns={unused} />
      )}
      {left.size > 0 && (
        <ColumnList title={batchTexts.leftOutTitle(left.size)} text={batchTexts.leftOutText} columns={[...left]} />
      )}
    </>
  );
}

interface ColumnListProps {
  readonly title: string;
  readonly text: string;
  readonly columns: readonly Column[];
}

function ColumnList({ title, text, columns }: ColumnListProps) {
  return (
    <details class="other-columns">
      <summary>{title}</summary>
      <p class="muted small">{text}</p>
      <ul class="chips">
        {columns.map((column, index) => (
          <li key={index} class="mono">
            {nameOf(column, index)}
          </li>
        ))}
      </ul>
    </details>
  );
}
