import { variableGroups } from '../../src/shared/config/load-config.ts';
import { describeVariables } from '../../src/shared/config/variable.ts';

const intro = `# Configuration

<!-- Made from the schemas in src/shared/config by \`npm run generate\`. Change the description there. -->

All configuration is in environment variables. A process that lacks a required variable, or finds a value that it cannot
use, names the variable and stops.

A variable marked *secret* can come from a file: set \`<NAME>_FILE\` to its path instead of \`<NAME>\`, as Docker and Kubernetes
mount secrets. The file is text in UTF-8 of at most 1 MB; line ends at its end do not count. It is read when the process
starts. Setting both is an error, and so is a file that cannot be read or is empty.
`;

/** The page of all environment variables, generated from the schemas that read them. */
export function writeConfigurationReference(): string {
  const sections = variableGroups.map(({ title, variables }) => {
    const rows = describeVariables(variables).map(
      ({ name, unit, isSecret, defaultText, description }) =>
        `| \`${name}\` | ${unit}${isSecret ? ', *secret*' : ''} | ${defaultText} | ${description} |`,
    );
    return ['', `## ${title}`, '', '| Variable | Unit | Default | Meaning |', '| --- | --- | --- | --- |', ...rows, ''];
  });
  return [intro, ...sections.flat()].join('\n').replaceAll('\n\n\n', '\n\n');
}
