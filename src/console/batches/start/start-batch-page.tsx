import '../batches.css';
import { KeyRound } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { hasScope, isTestKey, useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { EmptyState, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { withFormats } from '../mapping/choices.ts';
import type { Corrections } from '../mapping/row-plan.ts';
import { type PassedFile, takePassedFile } from '../passed-file.ts';
import { FileStep } from './file-step.tsx';
import { MappingStep } from './mapping-step.tsx';
import { emptyForm, toBatchOptions } from './output-form-state.ts';
import { OutputStep } from './output-step.tsx';
import { QuoteStep } from './quote-step.tsx';
import { RowPreview } from './row-preview.tsx';
import { sampleFile } from './sample-file.ts';
import { ChooseLink, TemplatePicker } from './template-picker.tsx';
import { useMapping } from './use-mapping.ts';

export default function StartBatchPage() {
  const templateId = new URLSearchParams(useSearch()).get('template') ?? '';
  return (
    <>
      <PageHeader
        title={batchTexts.newBatch}
        about={batchTexts.about}
        parent={<Link href="/batches">{batchTexts.title}</Link>}
      />
      <StartBatch templateId={templateId} />
    </>
  );
}

function StartBatch({ templateId }: { readonly templateId: string }) {
  if (isTestKey.value) {
    return (
      <EmptyState title={batchTexts.testKeyTitle} icon={<KeyRound aria-hidden="true" />}>
        <p>{batchTexts.testKeyText}</p>
      </EmptyState>
    );
  }
  if (!hasScope('templates:read') || !hasScope('generate')) return <p class="note warn">{batchTexts.noScope}</p>;
  if (templateId !== '') return <TemplateSteps key={templateId} templateId={templateId} />;
  return (
    <Step title={batchTexts.chooseTemplate}>
      <TemplatePicker action={(template) => <ChooseLink template={template} />} />
    </Step>
  );
}

function Step({ title, about, children }: { title: string; about?: string; children: ComponentChildren }) {
  return (
    <section class="card step" aria-label={title}>
      <h2>{title}</h2>
      {about !== undefined && <p class="muted">{about}</p>}
      {children}
    </section>
  );
}

interface LoadedTemplate {
  readonly name: string;
  readonly schema: unknown;
  readonly example: unknown;
}

function TemplateSteps({ templateId }: { readonly templateId: string }) {
  const docmill = useDocmill();
  const { value, error, reload } = useLoad<LoadedTemplate>(async (signal) => {
    const [{ name }, { schema, example }] = await Promise.all([
      docmill.templates.get(templateId, { signal }),
      docmill.templates.schema(templateId, {}, { signal }),
    ]);
    return { name, schema, example };
  }, templateId);
  const [inspected, setInspected] = useState<InspectedFile>();
  const [offered] = useState(() => takePassedFile(templateId));
  if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={6} />;
  const saveSample = (): void => {
    const sample = sampleFile(value.name, value.schema, value.example);
    saveFile(sample, sample.name);
  };
  return (
    <>
      <p class="chosen-template">
        <span class="muted">{batchTexts.template}:</span> <strong>{value.name}</strong>
        <Link href="/batches/new">{batchTexts.changeTemplate}</Link>
      </p>
      <Step title={batchTexts.fileTitle}>
        <FileStep inspected={inspected} offered={offered} onInspected={setInspected} onSample={saveSample} />
      </Step>
      {inspected !== undefined && (
        <RowSteps templateId={templateId} schema={value.schema} file={inspected} passed={offered} />
      )}
    </>
  );
}

interface RowStepsProps {
  readonly templateId: string;
  readonly schema: unknown;
  readonly file: InspectedFile;
  readonly passed: PassedFile | undefined;
}

const noCorrections: Corrections = new Map();

function RowSteps({ templateId, schema, file, passed }: RowStepsProps) {
  const [corrected, setCorrected] = useState<{ readonly file: InspectedFile; readonly corrections: Corrections }>();
  const corrections = corrected?.file === file ? corrected.corrections : noCorrections;
  const offered = passed?.file === file.file ? passed.choices : undefined;
  const { template, choices, mapping, plan, isRestored, change, addElement } = useMapping(templateId, schema, file, {
    offered,
    corrections,
  });
  const [form, setForm] = useState(passed?.form ?? emptyForm);
  // Corrections change the key of the quote step, and its new instance starts the check at once.
  const isCheckDue = useRef(false);
  const options = useMemo(() => toBatchOptions(form), [form]);
  return (
    <div class="row-steps">
      <div class="steps">
        <Step title={batchTexts.columnsTitle} about={batchTexts.columnsAbout}>
          <MappingStep
            file={file}
            template={template}
            mapping={mapping}
            plan={plan}
            isRestored={isRestored}
            onChange={change}
            onAddElement={addElement}
          />
        </Step>
        <Step title={batchTexts.outputTitle}>
          <OutputStep form={form} plan={plan} onChange={setForm} />
        </Step>
        <Step title={batchTexts.costTitle}>
          <QuoteStep
            key={`${revisionOf(file)} ${revisionOf(plan)} ${JSON.stringify(options)}`}
            templateId={templateId}
            file={file}
            plan={plan}
            options={options}
            choices={{ choices: withFormats(choices, file, template.fields), form, corrections }}
            isCheckDue={isCheckDue}
            onCorrect={(next) => {
              isCheckDue.current = true;
              setCorrected({ file, corrections: next });
            }}
          />
        </Step>
      </div>
      <aside class="card preview-card">
        <RowPreview key={revisionOf(file)} templateId={templateId} file={file} plan={plan} output={options.output} />
      </aside>
    </div>
  );
}

const revisions = new WeakMap<object, number>();
let lastRevision = 0;

/** A number that differs for each object; used as a key, it resets a part of the page when the object changes. */
function revisionOf(value: object): number {
  const revision = revisions.get(value) ?? ++lastRevision;
  revisions.set(value, revision);
  return revision;
}
