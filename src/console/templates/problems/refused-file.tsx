import { TemplateError } from '@docmill/client';
import { uploadTexts } from '../../texts/templates.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { mistakesOf } from './problem.ts';
import { ProblemPages } from './problem-pages.tsx';

/** Why the service refuses a file: its errors at their places, or the message of the service. */
export function RefusedFile({ error, file }: { readonly error: unknown; readonly file: File }) {
  if (!(error instanceof TemplateError) || error.details.length === 0) return <ErrorNote error={error} />;
  return (
    <>
      <p class="note bad" role="alert">
        {uploadTexts.fixIt}
      </p>
      <ProblemPages file={file} problems={mistakesOf(error.details)} />
    </>
  );
}
