import { AppError } from '../../../shared/errors.ts';

/** The error for a rejected file. `message` says in plain words what to fix, `part` where. */
export function refusal(message: string, part?: string): AppError {
  const detail = { type: 'Message', message } as const;
  return new AppError('template_invalid', 'Template validation errors', {
    details: [part === undefined ? detail : { ...detail, part: printable(part) }],
  });
}

/** Makes a name from the file safe to show: replaces control and direction characters, truncates to 120 characters. */
export function printable(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  return clean.length > 120 ? `${clean.slice(0, 119)}…` : clean;
}
