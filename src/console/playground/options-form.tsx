import { playgroundTexts } from '../texts/playground.ts';
import type { FormActions } from './form-actions.ts';
import { optionsForm } from './options-schema.ts';
import type { RequestOptions } from './requests.ts';
import { SchemaFields } from './schema-fields.tsx';

interface OptionsFormProps {
  readonly value: RequestOptions;
  readonly actions: FormActions;
}

/** Every option of generate except e-mail, which has its own dialog. */
export function OptionsForm({ value, actions }: OptionsFormProps) {
  const isPdf = value.output?.format === 'pdf';
  const output = optionsForm.output.filter(({ name }) => name !== 'email' && (isPdf || name !== 'pdf'));
  return (
    <div class="form-fields">
      <SchemaFields fields={output} value={value.output} path={['output']} actions={actions} />
      {!isPdf && <p class="hint">{playgroundTexts.pdfOptionsHidden}</p>}
      <SchemaFields fields={optionsForm.request} value={value} path={[]} actions={actions} />
    </div>
  );
}
