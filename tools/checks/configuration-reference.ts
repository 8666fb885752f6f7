import { variableGroups } from '../../src/shared/config/load-config.ts';
import { describeVariables } from '../../src/shared/config/variable.ts';

const intro = `# Configuration

<!-- Made from the schemas in src/shared/config by \`npm run generate\`. Change the description there. -->

All configuration is in environment variables. A process that lacks a required variable, or finds a value that it cannot
use, names the variable and stops.
`;

/** The page of all environment variables, from the schemas that read them. */
export function writeConfigurationReference(): string {
  const sections = variableGroups.map(({ title, variables }) => {
    const rows = describeVariables(variables).map(
      ({ name, unit, defaultText, description }) => `| \`${name}\` | ${unit} | ${defaultText} | ${description} |`,
    );
    return ['', `## ${title}`, '', '| Variable | Unit | Default | Meaning |', '| --- | --- | --- | --- |', ...rows, ''];
  });
  return [intro, ...sections.flat()].join('\n').replaceAll('\n\n\n', '\n\n');
}
