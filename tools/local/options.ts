export interface LocalOptions {
  readonly folder: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly workers: number;
}

/** Reads `LOCAL_DIR`, `PORT` and `WORKERS`; the service gets all other variables unchanged. */
export function readOptions(env: NodeJS.ProcessEnv): LocalOptions {
  const { LOCAL_DIR: folder, PORT: port, WORKERS: workers } = env;
  return {
    folder: folder || '.local',
    port: readCount('PORT', port, 3000, 65_535),
    workers: readCount('WORKERS', workers, 1, 64),
  };
}

function readCount(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new Error(`${name} must be a whole number from 0 to ${max}`);
  }
  return value;
}
