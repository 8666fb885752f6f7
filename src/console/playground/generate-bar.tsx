import type { Docmill } from '@docmill/client';
import { CodeXml, FileDown, Mail } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { parseExactly } from '../json-editor/parse-data.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { DataState } from './data-state.ts';
import { DocumentNote, type MadeDocument } from './document-note.tsx';
import { EmailDialog } from './email-dialog.tsx';
import type { FormActions } from './form-actions.ts';
import type { PlaygroundTemplate } from './playground.tsx';
import { type RequestOptions, toGenerateOptions } from './requests.ts';
import { saveFile } from './save-file.ts';

interface GenerateBarProps {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
  readonly serviceUrl: string;
  readonly dataText: string;
  readonly isBroken: boolean;
  readonly options: DataState;
  readonly actions: FormActions;
  readonly onGenerated: ((document: { readonly id: string; readonly filename: string }) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Makes documents: as a file, by e-mail, or as code that does the same. */
export function GenerateBar(props: GenerateBarProps) {
  const { docmill, template, serviceUrl, dataText, isBroken, options, actions, onGenerated, onError } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [made, setMade] = useState<MadeDocument>();
  const [error, setError] = useState<unknown>();
  const [dialog, setDialog] = useState<'email' | 'copy'>();
  const isRunning = useRef(false);
  const request = options.value.value as RequestOptions;
  const format = request.output?.format === 'docx' ? 'docx' : 'pdf';

  const generate = async (isMailed: boolean): Promise<void> => {
    // A second click while the first one runs would make, and charge, a second document.
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setError(undefined);
    try {
      const settings = { ...toGenerateOptions(request, isMailed), version: template.version };
      const document = await docmill.templates.generate(template.id, parseExactly(dataText), settings);
      const bytes = await document.bytes();
      const warnings = await document.warnings();
      setMade({ document, bytes, warnings });
      if (!isMailed) saveFile(document.filename, bytes, document.contentType);
      onGenerated?.({ id: document.id, filename: document.filename });
    } catch (failure) {
      onError(failure);
      if (isMailed) throw failure;
      setMade(undefined);
      setError(failure);
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  };

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
          isBusy={isBusy}
          disabled={isBroken}
          onClick={() => void generate(false)}
        >
          {playgroundTexts.generate}
        </Button>
      </div>
      {error !== undefined && (
        <div class="bar-note">
          <ErrorNote error={error} />
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
          onSend={() => generate(true)}
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
