import { z } from 'zod';

/** Documentation of a variable. */
export interface VariableMeta {
  /** Unit of the value: `ms`, `MB`, `connections`, `URL` … */
  readonly unit: string;
  /** One sentence. */
  readonly description: string;
  /** The default in words, if it depends on the machine. */
  readonly defaultText?: string;
  /** Whether the value is a secret, which may also be read from the file that `<NAME>_FILE` names. */
  readonly isSecret?: boolean;
}

/** A variable as the reference page lists it. */
export interface DescribedVariable extends Required<Omit<VariableMeta, 'defaultText'>> {
  readonly name: string;
  /** `required`, `none`, or the value. */
  readonly defaultText: string;
}

export type Variables = Readonly<Record<string, z.ZodType>>;

/** Attaches documentation to the schema of a variable. Call it last: further methods of the schema would drop it. */
export function variable<T extends z.ZodType>(schema: T, unit: string, description: string, defaultText?: string): T {
  return schema.meta({ unit, description, ...(defaultText !== undefined && { defaultText }) });
}

/** Like `variable`, for a secret. */
export function secret<T extends z.ZodType>(schema: T, unit: string, description: string, defaultText?: string): T {
  return schema.meta({ unit, description, isSecret: true, ...(defaultText !== undefined && { defaultText }) });
}

export function isSecretVariable(schema: z.ZodType | undefined): boolean {
  return schema?.meta()?.isSecret === true;
}

export function describeVariables(variables: Variables): readonly DescribedVariable[] {
  return Object.entries(variables).map(([name, schema]) => {
    const { unit, description, defaultText } = schema.meta() as unknown as VariableMeta;
    const isSecret = isSecretVariable(schema);
    return { name, unit, description, isSecret, defaultText: defaultText ?? defaultOf(schema) };
  });
}

function defaultOf(schema: z.ZodType): string {
  const result = schema.safeParse(undefined);
  if (!result.success) return 'required';
  const text = Array.isArray(result.data) ? result.data.join(',') : String(result.data ?? '');
  return text === '' ? 'none' : text;
}

/** The largest timeout that Node.js timers and PostgreSQL accept. */
const maxCount = 2 ** 31 - 1;

export const count = (fallback: number, min = 0, max = maxCount) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

export const text = z.string().min(1);

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

export const url = (...protocols: string[]) =>
  z.string().refine((value) => protocols.includes(URL.canParse(value) ? new URL(value).protocol : ''), {
    message: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
