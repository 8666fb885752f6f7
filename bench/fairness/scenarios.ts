import {
  longCell,
  longComparison,
  longUpload,
  manyParagraphs,
  type SlowDocument,
} from '../../test/support/documents/slow-documents.ts';
import { documentOf } from '../harness/documents.ts';

/** The requests of the busy account. */
export type Work =
  | { readonly kind: 'document'; readonly format: 'docx' | 'pdf'; readonly template: number; readonly data: unknown }
  | { readonly kind: 'upload'; readonly file: Buffer };

export interface Scenario {
  readonly title: string;
  /** Templates that the busy account uploads before it starts. */
  templates(): readonly Buffer[];
  /** A request; every `index` has different data. */
  work(index: number): Work;
  /** Quick requests that are sent first, so that the service classifies the templates as quick. */
  readonly quickBefore?: { readonly count: number; work(index: number): Work };
  /** Sends at ten times the rate at which the service completes this work, regardless of responses. */
  readonly isFlood?: boolean;
}

/** Enough templates for the load to continue when the service suspends one after several failures. */
const copies = 12;

function documents(format: 'docx' | 'pdf', slow: () => readonly SlowDocument[]) {
  const made = lazy(slow);
  return {
    templates: () => Array.from({ length: copies }, (_, copy) => pick(made(), copy).template),
    work: (index: number): Work => {
      const template = index % copies;
      return { kind: 'document', format, template, data: pick(made(), template).data(index) };
    },
  };
}

/** A table cell that becomes expensive: two paragraphs at first, then one that needs the whole time limit. */
const quickCell = lazy(() => longCell(2));
const endlessCell = lazy(() => longCell(60_000));

/** Only a few files, because building one takes longer than sending it. */
const longUploads = lazy(() => [0, 1, 2, 3].map((index) => longUpload(600_000, index)));

function flood(format: 'docx' | 'pdf'): Pick<Scenario, 'templates' | 'work' | 'isFlood'> {
  const invoice = lazy(() => documentOf('invoice', 10));
  return {
    isFlood: true,
    templates: () => [invoice().template],
    work: (index) => ({ kind: 'document', format, template: 0, data: { ...invoice().data, number: `No. ${index}` } }),
  };
}

export const scenarios = {
  hangs: {
    title: 'conversions that need more than the limit of 60 s',
    ...documents('pdf', () => [endlessCell()]),
  },
  renders: {
    title: 'renders that need more than the limit of 10 s',
    ...documents('docx', () => [longComparison(150_000, 3_000_000)]),
  },
  slow: {
    title: 'conversions of 25 to 40 s',
    ...documents('pdf', () => [longCell(32_000), manyParagraphs(190_000)]),
  },
  liar: {
    title: '50 quick PDFs of one template, then conversions beyond the limit with the same one',
    templates: () => [quickCell().template],
    work: (index) => ({ kind: 'document', format: 'pdf', template: 0, data: endlessCell().data(index) }),
    quickBefore: {
      count: 50,
      work: (index) => ({ kind: 'document', format: 'pdf', template: 0, data: quickCell().data(index) }),
    },
  },
  uploads: {
    title: 'uploads that take seconds to check',
    templates: () => [],
    work: (index) => ({ kind: 'upload', file: pick(longUploads(), index) }),
  },
  'docx-flood': { title: 'honest .docx at ten times the capacity', ...flood('docx') },
  'pdf-flood': { title: 'honest PDFs at ten times the capacity', ...flood('pdf') },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof scenarios;

export function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}
