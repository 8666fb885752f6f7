import { z } from 'zod';
import { secret, url, variable } from './variable.ts';

/** Variables of the admin command. */
export const adminVariables = {
  DOCMILL_ACTOR: variable(
    z.string().trim().max(100, 'must be at most 100 characters').default(''),
    'text',
    'Who runs the command, for the audit log; `--actor` overrides it.',
  ),
  DOCMILL_URL: variable(
    url('http:', 'https:').optional(),
    'URL',
    'Address of the admin API; commands that it offers then use it instead of the database.',
  ),
  DOCMILL_OPERATOR_KEY: secret(z.string().min(1).optional(), 'key', 'Operator key for `DOCMILL_URL`.'),
};
