import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A service of the compose file that runs an image of the Dockerfile. */
export interface ComposeService {
  readonly name: string;
  readonly target: string;
  readonly command: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
}

interface Description {
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The services of `docker-compose.yml` that run an image of the Dockerfile, with their variables: those of `.env` have their
 * defaults, and secrets are files of the given folder.
 */
export function readComposeServices(secretsFolder: string): readonly ComposeService[] {
  const file = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Description>>;
  };
  return Object.entries(file.services).flatMap(([name, { build, command, environment = {} }]) => {
    if (build === undefined) return [];
    const env = Object.entries(environment).map(([key, value]) => [
      key,
      value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/^\/run\/secrets(?=\/)/, secretsFolder),
    ]);
    return [{ name, target: build.target, command, env: Object.fromEntries(env) as Record<string, string> }];
  });
}

/** The command with which the compose file starts Redis. */
export function readRedisCommand(secretsFolder: string): readonly string[] {
  const file = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    readonly services: { readonly redis: { readonly command: readonly string[] } };
  };
  return file.services.redis.command.map((word) => word.replace(/^\/run\/secrets(?=\/)/, secretsFolder));
}
