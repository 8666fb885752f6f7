import './dictionary.css';
import { type components, NotFoundError } from '@docmill/client';
import { Download, Languages, Pencil, Plus, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { hasScope, useDocmill } from '../session/session.ts';
import { dictionaryTexts } from '../texts/dictionary.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { saveFile } from '../ui/save-file.ts';
import { EmptyState, ErrorNote, Skeleton } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EditDialog } from './edit-dialog.tsx';
import { WordTable } from './word-table.tsx';

type Dictionary = components['schemas']['Dictionary'];

/** The account's dictionary; null if it has none. */
export default function DictionaryPage() {
  const docmill = useDocmill();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { value, error, reload } = useLoad(
    (signal) =>
      docmill.dictionary.get({ signal }).catch((failure: unknown) => {
        if (failure instanceof NotFoundError) return null;
        throw failure;
      }),
    '',
  );
  const canWrite = hasScope('templates:write');
  const dictionary = value ?? undefined;
  // Prevents overwriting changes that another client made meanwhile.
  const ifMatch = dictionary && `"${dictionary.checksum}"`;
  const close = (): void => setOpen(undefined);
  return (
    <>
      <PageHeader title={dictionaryTexts.title} about={aboutOf(dictionary)}>
        {dictionary !== undefined && (
          <>
            {canWrite && (
              <Button variant="primary" icon={<Pencil />} onClick={() => setOpen('edit')}>
                {dictionaryTexts.edit}
              </Button>
            )}
            <Button icon={<Download />} onClick={() => save(dictionary)}>
              {dictionaryTexts.download}
            </Button>
            {canWrite && (
              <Button icon={<Trash2 />} onClick={() => setOpen('delete')}>
                {dictionaryTexts.remove}
              </Button>
            )}
          </>
        )}
      </PageHeader>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={8} />}
      {value === null && (
        <EmptyState title={dictionaryTexts.emptyTitle} icon={<Languages aria-hidden="true" />}>
          <p>{dictionaryTexts.emptyText}</p>
          {canWrite && (
            <Button variant="primary" icon={<Plus />} onClick={() => setOpen('edit')}>
              {dictionaryTexts.create}
            </Button>
          )}
        </EmptyState>
      )}
      {dictionary !== undefined && <WordTable words={dictionary.words} />}
      {open === 'edit' && <EditDialog dictionary={dictionary} ifMatch={ifMatch} onDone={reload} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          isDestructive
          title={dictionaryTexts.removeTitle}
          text={dictionaryTexts.removeText}
          action={dictionaryTexts.removeAction}
          onConfirm={async () => {
            await docmill.dictionary.delete({ ifMatch });
            showToast(dictionaryTexts.removed);
            reload();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function aboutOf(dictionary: Dictionary | undefined): string {
  if (dictionary === undefined) return dictionaryTexts.about;
  const locales = Object.values(dictionary.words);
  const count = locales.reduce((sum, words) => sum + Object.keys(words).length, 0);
  return `${dictionaryTexts.about} ${dictionaryTexts.counts(count, locales.length)}`;
}

function save({ words }: Dictionary): void {
  saveFile(new Blob([`${JSON.stringify(words, null, 2)}\n`], { type: 'application/json' }), 'dictionary.json');
}
