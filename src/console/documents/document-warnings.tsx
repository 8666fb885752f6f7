import type { components } from '@docmill/client';
import { documentTexts } from '../texts/documents.ts';
import { Badge } from '../ui/badge.tsx';

type Schemas = components['schemas'];

export function DocumentWarnings({ warnings }: { readonly warnings: readonly Schemas['DocumentWarning'][] }) {
  if (warnings.length === 0) return null;
  return (
    <section class="card">
      <h2>{documentTexts.warningTitle}</h2>
      <p class="muted small">{documentTexts.warningAbout}</p>
      <ul class="findings">
        {warnings.map(({ code, message, part, context }) => (
          <li key={`${code} ${message} ${part} ${context}`}>
            <Badge tone="warn">{code}</Badge>
            <div>
              <p>
                {message} {part !== undefined && <span class="muted">{documentTexts.where(part)}</span>}
              </p>
              {context !== undefined && <code class="context">{context}</code>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The checks of a PDF that was requested for a standard. */
export function ConformanceResults({ conformance }: { readonly conformance: Schemas['JobConformance'] | undefined }) {
  if (conformance === undefined) return null;
  return (
    <section class="card">
      <h2>{documentTexts.conformance}</h2>
      <ul class="findings">
        {conformance.standards.map(({ standard, passed, checked, failures }) => (
          <li key={standard}>
            <Badge tone={passed ? 'good' : 'bad'}>{passed ? documentTexts.passed : documentTexts.notPassed}</Badge>
            <div>
              <p>
                <b>{standard}</b> <span class="muted small">{documentTexts.checkedRules(checked)}</span>
              </p>
              <ul>
                {failures.map(({ rule, clause, message, place }) => (
                  <li key={rule}>
                    {message}{' '}
                    <span class="muted small">{[clause, place].filter((part) => part !== undefined).join(', ')}</span>
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
