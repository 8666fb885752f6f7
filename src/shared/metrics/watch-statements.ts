import { Histogram, type Registry } from 'prom-client';

/** The statements that take every document that is ready when they start. */
type GroupedStatement = 'reserve' | 'claim' | 'settle';

/** `docmill_statement_documents`: how many documents one statement reserves, claims or settles. */
export function watchStatements<S extends GroupedStatement>(
  registry: Registry,
  statements: readonly S[],
): Readonly<Record<S, (documents: number) => void>> {
  const histogram = new Histogram({
    name: 'docmill_statement_documents',
    help: 'Documents that one statement reserves, claims or settles.',
    labelNames: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [registry],
  });
  const observers = statements.map((statement) => {
    const child = histogram.labels({ statement });
    return [statement, (documents: number) => child.observe(documents)] as const;
  });
  return Object.fromEntries(observers) as Record<S, (documents: number) => void>;
}
