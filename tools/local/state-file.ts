import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Reads a JSON file. Undefined if it is missing or does not match the schema, for example after a crash. */
export function readStateFile<T extends z.ZodType>(file: string, schema: T): z.infer<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
