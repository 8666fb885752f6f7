import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Manifest, overlays, renderOverlay } from './render-overlay.ts';

const keda = '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
const operator = '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
const modules: Readonly<Record<string, readonly [from: string, type?: string]>> = {
  'apps/v1': ['kubernetes-types/apps/v1'],
  'autoscaling/v2': ['kubernetes-types/autoscaling/v2'],
  'batch/v1': ['kubernetes-types/batch/v1'],
  'keda.sh/v1alpha1': [keda, 'IScaledObject'],
  'monitoring.coreos.com/v1 ServiceMonitor': [`${operator}/ServiceMonitor`, 'IServiceMonitor'],
  'monitoring.coreos.com/v1 PrometheusRule': [`${operator}/PrometheusRule`, 'IPrometheusRule'],
  'networking.k8s.io/v1': ['kubernetes-types/networking/v1'],
  'policy/v1': ['kubernetes-types/policy/v1'],
  v1: ['kubernetes-types/core/v1'],
};

let folder = '';
beforeAll(() => {
  // Has to be below the packages whose types the generated file imports.
  const cache = join(process.cwd(), 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'manifests-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiles manifests as literals of their types, and returns the errors: wrong values, missing fields and unknown
 * fields.
 */
function findTypeErrors(name: string, manifests: readonly Manifest[]): readonly string[] {
  const lines = manifests.map((manifest, index) => {
    const [from = 'unknown', type = manifest.kind] =
      modules[`${manifest.apiVersion} ${manifest.kind}`] ?? modules[manifest.apiVersion] ?? [];
    return `export const m${index}: import(${JSON.stringify(from)}).${type} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(join(folder, `${name}.ts`), lines.join('\n'));
  const options = '--noEmit --strict --skipLibCheck --module preserve --moduleResolution bundler --target es2023';
  try {
    const words = ['--ignoreConfig', '--types', '', ...options.split(' '), join(folder, `${name}.ts`)];
    execFileSync('node_modules/.bin/tsc', words, { encoding: 'utf8' });
    return [];
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return output.split('\n').filter((line) => /error TS/.test(line));
  }
}

test.each(overlays)('every manifest of %s has the fields that its kind allows', (overlay) => {
  expect(findTypeErrors(overlay, renderOverlay(overlay))).toEqual([]);
});
