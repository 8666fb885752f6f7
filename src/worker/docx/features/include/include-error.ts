import { AppError } from '../../../../shared/errors.ts';

/** A tag that includes another template, and the templates around it, outermost first. */
export interface TagPlace {
  readonly written: string;
  readonly path: readonly string[];
}

/** The `template_invalid` error of one tag; `problem` completes "the tag {…}". */
export function includeError({ written: tag, path }: TagPlace, problem: string, hint: string): AppError {
  const around = path.at(-1);
  const part = around === undefined ? 'body' : `template "${around}"`;
  const message = `In the ${part}: the tag ${tag} ${problem}.`;
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, tag, part, hint }],
  });
}
