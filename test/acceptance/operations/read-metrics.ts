import { inject } from 'vitest';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const readTexts = (): Promise<readonly string[]> =>
  Promise.all(inject('stack').metricsUrls.map(async (url) => (await fetch(url)).text()));

/** The samples that the API and the workers of the common stack serve to Prometheus. */
export async function readSamples(): Promise<readonly Sample[]> {
  return (await readTexts()).flatMap((text) =>
    [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]),
      ),
      value: Number(value),
    })),
  );
}

/** The names of all metrics, including those without samples. */
export async function readMetricNames(): Promise<ReadonlySet<string>> {
  const texts = await readTexts();
  return new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)));
}
