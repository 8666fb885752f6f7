import { ApiError } from '@docmill/client';
import { playgroundTexts } from '../texts/playground.ts';
import { ErrorNote } from '../ui/states.tsx';

/** An error of a preview. Template errors show their location: the part of the document and the text around the tag. */
export function TemplateMistakes({ error }: { readonly error: unknown }) {
  const mistakes = error instanceof ApiError ? error.details.filter(({ context, part }) => context ?? part) : [];
  if (mistakes.length === 0) return <ErrorNote error={error} />;
  return (
    <div class="note bad" role="alert">
      <ul class="mistakes">
        {mistakes.map(({ message, part, context, hint }) => (
          <li key={`${message}${context}`}>
            <p>{message}</p>
            {context !== undefined && <p class="mono">{context}</p>}
            <p class="muted small">
              {part !== undefined && playgroundTexts.inPart(part)} {hint}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
