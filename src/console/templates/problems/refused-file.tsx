import { TemplateError } from '@docmill/client';
import type { ComponentChildren } from 'preact';
import { uploadTexts } from '../../texts/templates.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { mistakesOf, type Problem } from './problem.ts';
import { ProblemPages } from './problem-pages.tsx';

/** Why a file was not accepted. */
export interface Refusal {
  /** The mistakes that were found last, with the file as it was then. */
  readonly broken?: { readonly file: File; readonly problems: readonly Problem[] } | undefined;
  /** Why the last check found nothing out, such as a lost connection. */
  readonly error?: unknown;
}

/** The refusal after another check. A check that finds nothing out keeps the mistakes of the one before. */
export function nextRefusal(before: Refusal | undefined, error: unknown, file: File | undefined): Refusal {
  if (file === undefined || !(error instanceof TemplateError) || error.details.length === 0)
    return { broken: before?.broken, error };
  return { broken: { file, problems: mistakesOf(error.details) } };
}

/** The mistakes of a file at their places, and why it could not be checked again, with what to do about that. */
export function RefusedFile({ broken, error, children }: Refusal & { readonly children?: ComponentChildren }) {
  return (
    <>
      {error === undefined ? (
        <p class="note bad" role="alert">
          {uploadTexts.fixIt}
        </p>
      ) : (
        <ErrorNote error={error} />
      )}
      {children}
      {broken !== undefined && <ProblemPages {...broken} />}
    </>
  );
}
