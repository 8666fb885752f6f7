import { Download, Layers } from 'lucide-preact';
import { hasScope, isTestKey, useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { EmptyState, ErrorNote } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ChooseLink, type PickedTemplate, TemplatePicker } from '../start/template-picker.tsx';

/** Introduces batches: choose a template, and download a file whose header lists its tags. */
export function FirstBatch() {
  return (
    <EmptyState title={batchTexts.emptyTitle} icon={<Layers aria-hidden="true" />}>
      <p>{batchTexts.emptyText}</p>
      {hasScope('templates:read') && !isTestKey.value && (
        <div class="card first-batch">
          <TemplatePicker action={(template) => <FirstActions template={template} />} />
        </div>
      )}
    </EmptyState>
  );
}

function FirstActions({ template }: { readonly template: PickedTemplate }) {
  const docmill = useDocmill();
  const { id, name } = template;
  const { run, isBusy, error } = useAction(async () => {
    const [{ schema, example }, { sampleFile }] = await Promise.all([
      docmill.templates.schema(id),
      import('../start/sample-file.ts'),
    ]);
    const sample = sampleFile(name, schema, example);
    saveFile(sample, sample.name);
  });
  return (
    <div class="actions">
      <Button
        isBusy={isBusy}
        icon={<Download aria-hidden="true" />}
        aria-label={batchTexts.sampleOf(name)}
        onClick={() => run()}
      >
        {batchTexts.sampleShort}
      </Button>
      <ChooseLink template={template} />
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}
