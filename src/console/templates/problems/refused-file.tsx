import { TemplateError } from '@docmill/client';
import type { ComponentChildren } from 'preact';
import { uploadTexts } from '../../texts/templates.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { mistakesOf, type Problem } from './problem.ts';
import { ProblemPages } from './problem-pages.tsx';

/** Why a file was not accepted. */
export interface Refusal {
  /** The problems that the last complete check found, with the file that it checked. */
  readonly broken?: { readonly file: File; readonly problems: readonly Problem[] } | undefined;
  /** Why the last check could not be completed, such as a lost connection. */
  readonly error?: unknown;
}

/** The refusal after another check. If that check could not be completed, the earlier problems are kept. */
export function nextRefusal(before: Refusal | undefined, error: unknown, file: File | undefined): Refusal {
  if (file === undefined || !(error instanceof TemplateError) || error.details.length === 0)
    return { broken: before?.broken, error };
  return { broken: { file, problems: mistakesOf(error.details) } };
}

/**
 * Shows the problems of a file where they occur. If the file could not be checked again, also shows why and what to do.
 */
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
