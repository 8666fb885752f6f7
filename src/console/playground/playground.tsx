import '../json-editor/json-editor.css';
import './playground.css';
import type { Docmill } from '@docmill/client';
import { Square, SquareCheck } from 'lucide-preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonPath } from '../json-editor/json-text.ts';
import { readDraft } from '../session/drafts.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import type { DroppedFile } from '../ui/read-drop.ts';
import { Skeleton } from '../ui/states.tsx';
import { DataBar } from './data-bar.tsx';
import { createDataState } from './data-state.ts';
import { FileBar } from './file-bar.tsx';
import type { FormActions } from './form-actions.ts';
import { GenerateBar } from './generate-bar.tsx';
import type { PlaygroundTemplate } from './load-template.ts';
import { OptionsForm } from './options-form.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { type FieldProblems, fieldProblemsOf, noFieldProblems } from './problems.ts';
import type { RequestOptions } from './requests.ts';
import { SchemaFields } from './schema-fields.tsx';
import { formOf } from './schema-form.ts';
import { TagTree } from './tag-tree.tsx';
import { useDraft } from './use-draft.ts';
import { useFileSchema } from './use-file-schema.ts';
import { useFollowedFile } from './use-followed-file.ts';
import { panels, usePanels } from './use-panels.ts';
import { usePreview } from './use-preview.ts';

const JsonEditor = lazy(() => import('../json-editor/json-editor.tsx'));

interface PlaygroundProps {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
  /** The address of the service, for copied code. */
  readonly serviceUrl: string;
  /** Whose data this browser remembers; pages of other applications remember none. */
  readonly accountId?: string | undefined;
  /** A file to show instead of the template. */
  readonly opened?: DroppedFile | undefined;
  /** Makes a file a version of the template; undefined if the key may not. */
  readonly onSave?: ((file: DroppedFile) => void) | undefined;
  readonly onGenerated?: (document: { readonly id: string; readonly filename: string }) => void;
  readonly onError?: (error: unknown) => void;
}

/** A template with its data: previews it during typing, and generates documents from it. */
export function Playground(props: PlaygroundProps) {
  const { docmill, template, serviceUrl, accountId, opened, onSave, onGenerated, onError } = props;
  const example = useMemo(() => JSON.stringify(template.example, null, 2), [template]);
  const data = useMemo(
    () => createDataState(template.example, accountId && readDraft(accountId, template.id)),
    [template, accountId],
  );
  const isRemembered = useDraft(accountId, template.id, data, example);
  const options = useMemo(() => createDataState({ output: { format: 'pdf' } }), [template]);
  const following = useFollowedFile(opened);
  const { file } = following;
  const schema = useFileSchema(docmill, file, template.syntax) ?? template.schema;
  const form = useMemo(() => formOf(schema), [schema]);
  const fields = form.kind === 'object' ? form.fields : [];
  const { shown, toggle } = usePanels();
  // Narrow screens show either the data or the pages.
  const [isOnPages, setIsOnPages] = useState(false);
  const panes = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<{ readonly path: JsonPath }>();
  const [refused, setRefused] = useState<FieldProblems>(noFieldProblems);
  const { state, pages } = usePreview(docmill, template, file?.content, data, options);
  const previewed = useMemo(() => (state.kind === 'failed' ? fieldProblemsOf(state.error) : noFieldProblems), [state]);
  // Errors from the service are shown until something changes.
  useEffect(() => setRefused(noFieldProblems), [data.text.value, options.text.value]);
  const problems = refused === noFieldProblems ? previewed : refused;
  const dataActions: FormActions = { ...data, problems: problems.byDataPath, docmill, isOptional: false };
  const optionActions: FormActions = { ...options, problems: problems.byOptionPath, docmill, isOptional: true };
  const goTo = (path: JsonPath): void => {
    if (!shown.has('json')) toggle('json');
    setTarget({ path });
  };
  const isBroken = data.problem.value !== undefined;
  return (
    <div class="playground">
      <FileBar following={following} onSave={onSave} />
      <div class="playground-bar">
        <fieldset class="toggles" aria-label={playgroundTexts.panels}>
          {panels.map((panel) => (
            <Button
              key={panel}
              aria-pressed={shown.has(panel)}
              icon={shown.has(panel) ? <SquareCheck aria-hidden="true" /> : <Square aria-hidden="true" />}
              onClick={() => {
                toggle(panel);
                setIsOnPages(false);
              }}
            >
              {playgroundTexts.panelNames[panel]}
            </Button>
          ))}
        </fieldset>
        <GenerateBar
          docmill={docmill}
          template={template}
          serviceUrl={serviceUrl}
          dataText={data.text.value}
          isBroken={isBroken}
          options={options}
          actions={optionActions}
          previewError={state.kind === 'failed' ? state.error : undefined}
          onGenerated={onGenerated}
          onError={(error) => {
            setRefused(fieldProblemsOf(error));
            onError?.(error);
          }}
        />
      </div>
      {accountId !== undefined && (
        <DataBar
          accountId={accountId}
          templateId={template.id}
          data={data}
          example={example}
          isRemembered={isRemembered}
        />
      )}
      <div class="playground-panels" ref={panes} data-on-pages={isOnPages}>
        {shown.has('tags') && (
          <section class="panel narrow" aria-label={playgroundTexts.panelNames.tags}>
            {fields.length === 0 ? (
              <p class="muted">{playgroundTexts.noTags}</p>
            ) : (
              <TagTree fields={fields} onPick={goTo} />
            )}
          </section>
        )}
        {shown.has('form') && (
          <section class="panel" aria-label={playgroundTexts.panelNames.form}>
            {isBroken && (
              <p class="note warn" role="status">
                {playgroundTexts.formWaits}
              </p>
            )}
            <fieldset disabled={isBroken}>
              <SchemaFields fields={fields} value={data.value.value} path={[]} actions={dataActions} />
            </fieldset>
            {fields.length === 0 && <p class="muted">{playgroundTexts.noTags}</p>}
          </section>
        )}
        {shown.has('json') && (
          <section class="panel flush" aria-label={playgroundTexts.panelNames.json}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <JsonEditor
                text={data.text.value}
                onChange={data.setText}
                label={playgroundTexts.jsonLabel}
                schema={schema}
                problems={problems.data}
                target={target}
              />
            </Suspense>
          </section>
        )}
        {shown.has('options') && (
          <section class="panel" aria-label={playgroundTexts.panelNames.options}>
            <OptionsForm value={options.value.value as RequestOptions} actions={optionActions} />
          </section>
        )}
        <PreviewPane state={state} bytes={pages?.bytes} pageCount={pages?.pageCount ?? 0} serviceUrl={serviceUrl} />
      </div>
      <p class="pane-switch">
        <Button
          variant="primary"
          onClick={() => {
            setIsOnPages(!isOnPages);
            requestAnimationFrame(() => panes.current?.scrollIntoView());
          }}
        >
          {isOnPages ? playgroundTexts.showData : playgroundTexts.showPages}
        </Button>
      </p>
    </div>
  );
}
