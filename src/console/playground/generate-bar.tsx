import type { Docmill } from '@docmill/client';
import { CodeXml, FileDown, Mail } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { parseExactly } from '../json-editor/parse-data.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { describeError } from '../ui/describe-error.ts';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { CopyDialog } from './copy-dialog.tsx';
import type { DataState } from './data-state.ts';
import { DocumentNote, type MadeDocument } from './document-note.tsx';
import { EmailDialog } from './email-dialog.tsx';
import type { FormActions } from './form-actions.ts';
import type { PlaygroundTemplate } from './load-template.ts';
import { type RequestOptions, toGenerateOptions } from './requests.ts';

interface GenerateBarProps {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
  readonly serviceUrl: string;
  readonly dataText: string;
  readonly isBroken: boolean;
  readonly options: DataState;
  readonly actions: FormActions;
  /** Shown beside the pages; the same error is not shown again. */
  readonly previewError: unknown;
  readonly onGenerated: ((document: { readonly id: string; readonly filename: string }) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Generates documents: as a file, by e-mail, or as code that does the same. */
export function GenerateBar(props: GenerateBarProps) {
  const { docmill, template, serviceUrl, dataText, isBroken, options, actions, previewError } = props;
  const { onGenerated, onError } = props;
  const [made, setMade] = useState<MadeDocument>();
  const [dialog, setDialog] = useState<'email' | 'copy'>();
  const request = options.value.value as RequestOptions;
  const format = request.output?.format === 'docx' ? 'docx' : 'pdf';

  const generate = async (isMailed: boolean): Promise<MadeDocument> => {
    try {
      const settings = { ...toGenerateOptions(request, isMailed), version: template.version };
      const document = await docmill.templates.generate(template.id, parseExactly(dataText), settings);
      const result = { document, bytes: await document.bytes(), warnings: await document.warnings() };
      setMade(result);
      onGenerated?.({ id: document.id, filename: document.filename });
      return result;
    } catch (failure) {
      onError(failure);
      throw failure;
    }
  };
  const download = useAction(async () => {
    setMade(undefined);
    const { document, bytes } = await generate(false);
    saveFile(new Blob([bytes], { type: document.contentType }), document.filename);
  });

  return (
    <>
      <div class="actions">
        <select
          class="format-choice"
          aria-label={playgroundTexts.format}
          value={format}
          onChange={({ currentTarget }) => options.set(['output', 'format'], currentTarget.value)}
        >
          <option value="pdf">{playgroundTexts.formats.pdf}</option>
          <option value="docx">{playgroundTexts.formats.docx}</option>
        </select>
        <Button icon={<CodeXml aria-hidden="true" />} disabled={isBroken} onClick={() => setDialog('copy')}>
          {playgroundTexts.copyAs}
        </Button>
        <Button icon={<Mail aria-hidden="true" />} disabled={isBroken} onClick={() => setDialog('email')}>
          {playgroundTexts.sendByEmail}
        </Button>
        <Button
          variant="primary"
          icon={<FileDown aria-hidden="true" />}
          isBusy={download.isBusy}
          disabled={isBroken}
          onClick={() => download.run()}
        >
          {playgroundTexts.generate}
        </Button>
      </div>
      {download.error !== undefined && !isSame(download.error, previewError) && (
        <div class="bar-note">
          <ErrorNote error={download.error} />
        </div>
      )}
      {made !== undefined && (
        <div class="bar-note">
          <DocumentNote docmill={docmill} made={made} onClose={() => setMade(undefined)} />
        </div>
      )}
      {dialog === 'email' && (
        <EmailDialog
          value={request.output?.email}
          actions={actions}
          onSend={async () => {
            download.reset();
            await generate(true);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'copy' && (
        <CopyDialog
          request={{ serviceUrl, templateId: template.id, version: template.version, dataText, options: request }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

function isSame(one: unknown, other: unknown): boolean {
  const read = (error: unknown) => JSON.stringify({ ...describeError(error), requestId: undefined });
  return other !== undefined && read(one) === read(other);
}
