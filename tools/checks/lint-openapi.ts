import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const file = 'openapi.json';

/** Runs Redocly's recommended rules and Spectral's `oas` rules on the OpenAPI document. */
export async function lintOpenApi(document: Record<string, unknown>): Promise<string[]> {
  const source = JSON.stringify(document);
  const config = await createConfig({ extends: ['recommended'] });
  const byRedocly = await lintFromString({ source, absoluteRef: `/${file}`, config });
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
  const bySpectral = await linter.run(document);
  return [
    ...byRedocly.map(({ ruleId, message, location }) => `${file}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`),
    ...bySpectral.map(({ code, message, path }) => `${file}#/${path.join('/')}: ${message} (${code})`),
  ];
}
