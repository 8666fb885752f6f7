import { z } from 'zod';
import { certificates } from './pem.ts';
import { count, secret, text, url, variable } from './variable.ts';

const setByPlatform = 'Set by the platform, for `S3_CREDENTIALS=role`';

/** Variables of the object store. */
export const storageVariables = {
  S3_ENDPOINT: variable(url('http:', 'https:'), 'URL', 'An S3-compatible object store.'),
  S3_CA: secret(
    certificates,
    'PEM',
    'Authorities to trust for the certificate of the object store (`https://`), instead of the public ones.',
  ),
  S3_REGION: variable(text.default('us-east-1'), 'text', 'Region of the bucket.'),
  S3_BUCKET: variable(z.string().min(3).default('docmill'), 'text', 'Bucket for templates, results and batches.'),
  S3_CREDENTIALS: variable(
    z.enum(['keys', 'role']).default('keys'),
    'keys, role',
    '`role` takes temporary credentials of the role that AWS gives to the pod, the task or the instance, instead of the two keys.',
  ),
  S3_ACCESS_KEY_ID: secret(
    text.optional(),
    'text',
    'Access key of the object store.',
    'required with `S3_CREDENTIALS=keys`',
  ),
  S3_SECRET_ACCESS_KEY: secret(
    text.optional(),
    'text',
    'Secret key of the object store.',
    'required with `S3_CREDENTIALS=keys`',
  ),
  AWS_WEB_IDENTITY_TOKEN_FILE: variable(
    text.optional(),
    'file',
    `${setByPlatform} (EKS service account); read at each renewal.`,
  ),
  AWS_ROLE_ARN: variable(text.optional(), 'text', `${setByPlatform} (EKS service account).`),
  AWS_ROLE_SESSION_NAME: variable(text.optional(), 'text', 'Name of the session in the logs of AWS.', 'docmill'),
  AWS_ENDPOINT_URL_STS: variable(
    url('http:', 'https:').optional(),
    'URL',
    'Address of another STS.',
    'that of `S3_REGION`',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: variable(text.optional(), 'path', `${setByPlatform} (ECS).`),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: variable(
    url('http:', 'https:').optional(),
    'URL',
    `${setByPlatform} (EKS Pod Identity).`,
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: variable(text.optional(), 'text', `${setByPlatform}.`),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: variable(
    text.optional(),
    'file',
    `${setByPlatform} (EKS Pod Identity); read at each renewal.`,
  ),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: variable(
    url('http:').optional(),
    'URL',
    'Address of another instance metadata service.',
    'http://169.254.169.254',
  ),
  S3_TIMEOUT_MS: variable(
    count(10_000, 100),
    'ms',
    'Limit for one operation including its retries; completing a multipart upload may take 5 minutes.',
  ),
};

interface CredentialVariables {
  readonly S3_CREDENTIALS: 'keys' | 'role';
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_WEB_IDENTITY_TOKEN_FILE?: string | undefined;
  readonly AWS_ROLE_ARN?: string | undefined;
}

/** Allows access keys only with `keys`: otherwise an operator might rotate keys that are not in use. */
export function checkCredentials(config: CredentialVariables, context: z.RefinementCtx): void {
  const refuse = (name: keyof CredentialVariables, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (config.S3_CREDENTIALS === 'keys' && config[name] === undefined) refuse(name, 'is not set');
    if (config.S3_CREDENTIALS === 'role' && config[name] !== undefined)
      refuse(name, 'is set together with S3_CREDENTIALS=role: unset one of them');
  }
  if (config.S3_CREDENTIALS === 'role' && config.AWS_WEB_IDENTITY_TOKEN_FILE && config.AWS_ROLE_ARN === undefined)
    refuse('AWS_ROLE_ARN', 'is not set, and AWS_WEB_IDENTITY_TOKEN_FILE is');
}
