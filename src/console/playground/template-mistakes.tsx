import { ApiError } from '@docmill/client';
import { mistakesOf } from '../templates/problems/problem.ts';
import { chapterOf, chapterUrl } from '../templates/problems/reference-chapter.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { problemTexts } from '../texts/templates.ts';
import { ErrorNote } from '../ui/states.tsx';

interface TemplateMistakesProps {
  readonly error: unknown;
  readonly serviceUrl: string;
}

/** An error of a preview. Template errors show their location: the part of the document and the text around the tag. */
export function TemplateMistakes({ error, serviceUrl }: TemplateMistakesProps) {
  const found = error instanceof ApiError ? error.details.filter(({ context, part }) => context ?? part) : [];
  if (found.length === 0) return <ErrorNote error={error} />;
  return (
    <div class="note bad" role="alert">
      <ul class="mistakes">
        {mistakesOf(found).map((mistake) => {
          const { message, part, context, hint } = mistake;
          const chapter = chapterOf(mistake);
          return (
            <li key={`${message}${context}`}>
              <p>{message}</p>
              {context !== undefined && <p class="mono">{context}</p>}
              <p class="muted small">
                {part !== undefined && playgroundTexts.inPart(part)} {hint}
              </p>
              {chapter !== undefined && (
                <p class="small">
                  {problemTexts.reference}:{' '}
                  <a href={chapterUrl(serviceUrl, chapter)} target="_blank" rel="noopener">
                    {chapter[1]}
                  </a>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
