import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { type AlertCase, healthySeries } from './alert-cases.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const rulesFile = resolve('deploy/prometheus/alerts.yaml');

export function readRules(): readonly AlertRule[] {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: readonly { rules: readonly AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The beginning of every link to the runbooks. */
export const docsLink = '{{ or $externalLabels.runbook_docs `docs` }}';
const docs = 'https://git.example.com/docmill/docs';

/** The file for `promtool test rules` (JSON is YAML): every alert fires or is silent, as the case says. */
export function toRuleTest(rules: readonly AlertRule[], { change, without, atMinute = 60, fires }: AlertCase): string {
  const all: Readonly<Record<string, string | undefined>> = { ...healthySeries(atMinute), ...change };
  const series = Object.entries(all).flatMap(([name, values]) =>
    values === undefined || without?.test(name) === true ? [] : [{ series: name, values }],
  );
  const alertTests = rules.map((rule) => ({
    eval_time: `${atMinute}m`,
    alertname: rule.alert,
    exp_alerts: (fires[rule.alert] ?? []).map((labels) => ({
      exp_labels: { ...rule.labels, ...labels },
      exp_annotations: Object.fromEntries(
        Object.entries(rule.annotations).map(([name, text]) => [name, expand(text, labels).replace(docsLink, docs)]),
      ),
    })),
  }));
  return JSON.stringify({
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: [
      { interval: '1m', external_labels: { runbook_docs: docs }, input_series: series, alert_rule_test: alertTests },
    ],
  });
}

function expand(text: string, labels: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
}

export interface Selector {
  readonly metric: string;
  /** Name and value of labels that the selector compares for equality. */
  readonly equals: readonly (readonly [name: string, value: string])[];
  readonly labels: readonly string[];
}

/** The selectors of an expression, such as `docmill_queue_jobs{state="waiting"}`. */
export function selectorsOf(expression: string): readonly Selector[] {
  return [...expression.matchAll(/\b(docmill_\w+|nodejs_\w+|probe_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', matchers = '']) => {
      const parts = [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
      return {
        metric,
        labels: parts.map(([, name = '']) => name),
        equals: parts.flatMap(([, name = '', operator, value = '']) =>
          operator === '=' ? [[name, value] as const] : [],
        ),
      };
    },
  );
}
