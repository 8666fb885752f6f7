import { variableGroups } from '../../src/shared/config/load-config.ts';
import { describeVariables } from '../../src/shared/config/variable.ts';

const intro = `# Configuration

<!-- Made from the schemas in src/shared/config by \`npm run generate\`. Change the description there. -->

All configuration is in environment variables. If a required variable is missing or a value is invalid, the process names
the variable and exits.

A variable marked *secret* can come from a file: set \`<NAME>_FILE\` to its path instead of \`<NAME>\`, as Docker and Kubernetes
mount secrets. The file must be UTF-8 text of at most 1 MB; line breaks at its end are ignored. It is read when the process
starts. Setting both is an error, and so is a file that is empty or cannot be read.
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
