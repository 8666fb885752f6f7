import { AppError } from '../../../shared/errors.ts';

/** The error of a file the gate does not let in: `message` says in plain words what to fix, `part` where. */
export function refusal(message: string, part?: string): AppError {
  const detail = { type: 'Message', message } as const;
  return new AppError('template_invalid', 'Template validation errors', {
    details: [part === undefined ? detail : { ...detail, part: printable(part) }],
  });
}

/** A name from the file, safe to show: control and direction characters replaced, at most 120 characters. */
export function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  return clean.length > 120 ? `${clean.slice(0, 119)}…` : clean;
}
