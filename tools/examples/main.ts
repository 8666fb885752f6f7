import { writeFileSync } from 'node:fs';
import { buildExamples } from './build-examples.ts';

for (const [file, content] of Object.entries(buildExamples())) {
  writeFileSync(new URL(`../../examples/${file}`, import.meta.url), content);
}
