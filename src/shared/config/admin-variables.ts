import { z } from 'zod';
import { variable } from './variable.ts';

/** Variables of the admin command. */
export const adminVariables = {
  DOCMILL_ACTOR: variable(
    z.string().trim().max(100, 'must be at most 100 characters').default(''),
    'text',
    'Who runs the command, for the audit log; `--actor` overrides it.',
  ),
};
