import { variableGroups } from '../../../src/shared/config/load-config.ts';
import { describeVariables } from '../../../src/shared/config/variable.ts';

const described = variableGroups.flatMap(({ variables }) => describeVariables(variables));
const known = new Set(described.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])));
const secrets = new Set(described.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));

/** The names among these that no process reads. */
export const unknownVariables = (names: Iterable<string>): string[] => [...names].filter((name) => !known.has(name));

/**
 * Names of secrets that are set directly instead of through a file. S3's access key is a user name and does not count.
 */
export const plainSecrets = (names: Iterable<string>): string[] =>
  [...names].filter((name) => secrets.has(name) && name !== 'S3_ACCESS_KEY_ID');
