import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { batchTexts } from '../../texts/batches.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import type { Column, InspectedFile } from '../file/inspect-file.ts';
import type { FieldSource, Mapping } from '../mapping/match-columns.ts';
import { leftOut, type RowPlan } from '../mapping/row-plan.ts';
import type { TemplateFields } from '../mapping/template-fields.ts';
import { FieldLine, nameOf } from './field-line.tsx';

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
