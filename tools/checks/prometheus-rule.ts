import { readFileSync } from 'node:fs';

const source = 'deploy/prometheus/alerts.yaml';

/** The alert rules as a resource for the Prometheus operator. */
export function writePrometheusRule(): string {
  const groups = readFileSync(source, 'utf8').replace(/^(#.*\n)+/, '');
  const indented = groups.replaceAll(/^(?=.)/gm, '  ');
  return `# Made from ${source} by npm run generate.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: docmill
spec:
${indented}`;
}
