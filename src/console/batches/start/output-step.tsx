import { batchTexts } from '../../texts/batches.ts';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { RowPlan } from '../mapping/row-plan.ts';
import type { OutputForm } from './output-form-state.ts';
import { unknownPlaceholders } from './unknown-placeholders.ts';

interface OutputStepProps {
  readonly form: OutputForm;
  readonly plan: RowPlan;
  readonly onChange: (form: OutputForm) => void;
}

type TextField = { [Key in keyof OutputForm]: OutputForm[Key] extends boolean ? never : Key }[keyof OutputForm];
type CheckField = Exclude<keyof OutputForm, TextField>;

/** Fields that may contain values of the row. */
const filledFields: ReadonlySet<TextField> = new Set(['filename', 'to', 'cc', 'bcc', 'subject']);

/** All options of a batch; rarely used ones are collapsed. */
export function OutputStep({ form, plan, onChange }: OutputStepProps) {
  const set = (changes: Partial<OutputForm>): void => onChange({ ...form, ...changes });
  const isPdf = form.format === 'pdf';
  const choice = (
    name: TextField,
    label: string,
    options: Readonly<Record<string, string>>,
    hidden: readonly string[] = [],
  ) => (
    <SelectField
      label={label}
      value={form[name]}
      options={Object.entries(options).filter(([value]) => !hidden.includes(value))}
      onSelect={(value) => set({ [name]: value })}
    />
  );
  const input = (name: TextField, label: string, { hint, type = 'text' }: { hint?: string; type?: string } = {}) => (
    <Field label={label} hint={hint} error={filledFields.has(name) ? problemOf(name, form[name], plan) : undefined}>
      {(attributes) => (
        <input
          {...attributes}
          type={type}
          value={form[name]}
          autocomplete="off"
          onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
  const check = (name: CheckField, label: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={form[name]}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
  const archives = {
    '': batchTexts.none,
    'PDF/A-1b': 'PDF/A-1b',
    'PDF/A-2b': 'PDF/A-2b',
    'PDF/A-2u': 'PDF/A-2u',
    'PDF/A-3b': 'PDF/A-3b',
  };
  return (
    <div class="output-form">
      <div class="fields">
        {choice('format', batchTexts.format, batchTexts.formats)}
        {choice('bundle', batchTexts.bundle, batchTexts.bundleOptions, isPdf ? [] : ['pdf'])}
        {input('filename', batchTexts.filename, { hint: batchTexts.filenameHint })}
        {input('maxFailures', batchTexts.maxFailures, { hint: batchTexts.maxFailuresHint, type: 'number' })}
      </div>
      <details>
        <summary>{batchTexts.emailTitle}</summary>
        {check('sendsEmail', batchTexts.sendEmail)}
        {form.sendsEmail && (
          <div class="fields">
            {input('to', batchTexts.to, { hint: batchTexts.toHint })}
            {input('cc', batchTexts.cc)}
            {input('bcc', batchTexts.bcc)}
            {input('subject', batchTexts.subject, { hint: batchTexts.subjectHint })}
            <Field label={batchTexts.body}>
              {(attributes) => (
                <textarea
                  {...attributes}
                  rows={5}
                  value={form.body}
                  onInput={({ currentTarget }) => set({ body: currentTarget.value })}
                />
              )}
            </Field>
          </div>
        )}
      </details>
      <details>
        <summary>{batchTexts.formatting}</summary>
        <div class="fields">
          {input('locale', batchTexts.locale, { hint: batchTexts.localeHint })}
          {input('timezone', batchTexts.timezone, { hint: batchTexts.timezoneHint })}
          {input('documentDate', batchTexts.documentDate, { type: 'datetime-local' })}
          {choice('onMissing', batchTexts.onMissing, batchTexts.onMissingOptions, isPdf ? ['highlight'] : [])}
          {isPdf
            ? choice('onMissingGlyph', batchTexts.onMissingGlyph, batchTexts.onMissingGlyphOptions)
            : choice('externalContent', batchTexts.externalContent, batchTexts.externalContentOptions)}
          {input('callbackUrl', batchTexts.callbackUrl, { type: 'url' })}
        </div>
      </details>
      {isPdf && (
        <details>
          <summary>{batchTexts.pdfTitle}</summary>
          <div class="fields">
            {choice('archive', batchTexts.archive, archives)}
            {choice('onNonconformance', batchTexts.onNonconformance, batchTexts.onNonconformanceOptions)}
            {input('watermark', batchTexts.watermark)}
            {input('pages', batchTexts.pages, { hint: batchTexts.pagesHint })}
            {input('imageQuality', batchTexts.imageQuality, { type: 'number' })}
            {input('password', batchTexts.password)}
            {choice('printing', batchTexts.printing, batchTexts.printingOptions)}
            {choice('changes', batchTexts.changes, batchTexts.changesOptions)}
          </div>
          {check('isAccessible', batchTexts.accessible)}
          {check('forbidsCopying', batchTexts.noCopying)}
          {check('forbidsReading', batchTexts.noAccessibility)}
        </details>
      )}
    </div>
  );
}

function problemOf(name: TextField, text: string, plan: RowPlan): string | undefined {
  const unknown = unknownPlaceholders(text, plan);
  if (unknown.length > 0) return batchTexts.unknownFields(unknown.join(', '));
  return name === 'filename' && /[/\\]/.test(text) ? batchTexts.folders : undefined;
}
