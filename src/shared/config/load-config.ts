import { z } from 'zod';
import { apiVariables } from './api-variables.ts';
import { commonVariables, databaseVariables, splitRedisUrls } from './common-variables.ts';
import type { Variables } from './variable.ts';
import { workerVariables } from './worker-variables.ts';

/** The variables, grouped by process, for the reference page. */
export const variableGroups: readonly { readonly title: string; readonly variables: Variables }[] = [
  { title: 'API and workers', variables: commonVariables },
  { title: 'API', variables: apiVariables },
  { title: 'Workers', variables: workerVariables },
];

const hasOneServer = (config: { readonly REDIS_URL: string; readonly REDIS_CLUSTER: boolean }): boolean =>
  config.REDIS_CLUSTER || splitRedisUrls(config.REDIS_URL).length === 1;
const tooManyServers = { path: ['REDIS_URL'], message: 'names several servers, which requires REDIS_CLUSTER=true' };

const adminSchema = z.object(databaseVariables);
const apiSchema = z.object({ ...commonVariables, ...apiVariables }).refine(hasOneServer, tooManyServers);
const workerSchema = z.object({ ...commonVariables, ...workerVariables }).refine(hasOneServer, tooManyServers);

export type AdminConfig = z.infer<typeof adminSchema>;
export type ApiConfig = z.infer<typeof apiSchema>;
export type WorkerConfig = z.infer<typeof workerSchema>;
export type CommonConfig = Pick<ApiConfig, keyof typeof commonVariables>;

type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {}

/** Each `load*` reads the environment and throws a `ConfigError` that names every invalid variable, never its value. */
export const loadAdminConfig = (environment: Environment = process.env): AdminConfig => load(adminSchema, environment);
export const loadApiConfig = (environment: Environment = process.env): ApiConfig => load(apiSchema, environment);
export const loadWorkerConfig = (environment: Environment = process.env): WorkerConfig =>
  load(workerSchema, environment);

function load<T extends z.ZodType>(schema: T, environment: Environment): z.infer<T> {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `${name}: ${values[name] === undefined ? 'is not set' : issue.message}`;
  });
  throw new ConfigError(`The configuration is invalid. ${lines.join('; ')}`);
}
