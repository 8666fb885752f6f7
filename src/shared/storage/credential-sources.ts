import { readFile } from 'node:fs/promises';
import { z } from 'zod';

export interface TemporaryCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAtMs: number;
}

/** Requests new credentials from the platform. Its errors contain no token. */
export type CredentialSource = () => Promise<TemporaryCredentials>;

/**
 * The variables that platforms set for AWS SDKs (AWS SDKs and Tools Reference Guide, "Standardized credential
 * providers").
 */
export interface PlatformVariables {
  readonly S3_REGION: string;
  readonly AWS_ROLE_ARN?: string | undefined;
  readonly AWS_WEB_IDENTITY_TOKEN_FILE?: string | undefined;
  readonly AWS_ROLE_SESSION_NAME?: string | undefined;
  readonly AWS_ENDPOINT_URL_STS?: string | undefined;
  readonly AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?: string | undefined;
  readonly AWS_CONTAINER_CREDENTIALS_FULL_URI?: string | undefined;
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN?: string | undefined;
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?: string | undefined;
  readonly AWS_EC2_METADATA_SERVICE_ENDPOINT?: string | undefined;
}

const timeoutMs = 5_000;
const maxAnswerChars = 64 * 1024;
const defaultSessionName = 'docmill';

/**
 * Chooses the first that is available: a web identity (EKS service accounts), a container endpoint (ECS, EKS Pod
 * Identity), or the instance's role (EC2).
 */
export function findCredentialSource(variables: PlatformVariables): CredentialSource {
  if (variables.AWS_WEB_IDENTITY_TOKEN_FILE !== undefined) return fromWebIdentity(variables);
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: uri } = variables;
  if (path !== undefined) return fromContainer(new URL(path, 'http://169.254.170.2'), variables);
  if (uri !== undefined) return fromContainer(new URL(uri), variables);
  return fromInstance(variables.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? 'http://169.254.169.254');
}

/** STS, AssumeRoleWithWebIdentity. The token file changes while the process runs. */
function fromWebIdentity(variables: PlatformVariables): CredentialSource {
  const { S3_REGION: region, AWS_WEB_IDENTITY_TOKEN_FILE: file = '', AWS_ROLE_ARN: role = '' } = variables;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(variables.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.${domain}`);
  return async () => {
    const body = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: variables.AWS_ROLE_SESSION_NAME ?? defaultSessionName,
      WebIdentityToken: (await readFile(file, 'utf8')).trim(),
    });
    const xml = await ask('STS', url, { method: 'POST', body });
    const read = (name: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim();
    return toCredentials('STS', {
      AccessKeyId: read('AccessKeyId'),
      SecretAccessKey: read('SecretAccessKey'),
      Token: read('SessionToken'),
      Expiration: read('Expiration'),
    });
  };
}

/** Addresses of ECS and EKS, and loopback addresses, that may be queried without TLS. */
const plainHosts = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]', '127.0.0.1', '[::1]', 'localhost']);

function fromContainer(url: URL, variables: PlatformVariables): CredentialSource {
  if (url.protocol !== 'https:' && !plainHosts.has(url.hostname))
    throw new Error(
      'AWS_CONTAINER_CREDENTIALS_FULL_URI must be https://, or an address of this machine or its platform',
    );
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN: fixed, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } = variables;
  return async () => {
    const token = file === undefined ? fixed : (await readFile(file, 'utf8')).trim();
    const headers = token === undefined ? {} : { Authorization: token };
    return toCredentials('the container endpoint', JSON.parse(await ask('the container endpoint', url, { headers })));
  };
}

/** EC2, version 2 of the instance metadata service. */
function fromInstance(endpoint: string): CredentialSource {
  const name = 'the instance metadata service';
  return async () => {
    const ttl = { 'X-aws-ec2-metadata-token-ttl-seconds': '21600' };
    const token = await ask(name, new URL('/latest/api/token', endpoint), { method: 'PUT', headers: ttl });
    const headers = { 'X-aws-ec2-metadata-token': token };
    const folder = new URL('/latest/meta-data/iam/security-credentials/', endpoint);
    const [role = ''] = (await ask(name, folder, { headers })).split('\n');
    if (role.trim() === '') throw new Error('the instance has no role');
    const answer = await ask(name, new URL(encodeURIComponent(role.trim()), folder), { headers });
    return toCredentials(name, JSON.parse(answer));
  };
}

async function ask(name: string, url: URL, request: RequestInit): Promise<string> {
  let answer: Response;
  try {
    answer = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw new Error(`${name} at ${url.host} is unreachable`, { cause: error });
  }
  const text = (await answer.text()).slice(0, maxAnswerChars);
  if (answer.ok) return text;
  const code = /<Code>([\w.]{1,60})<\/Code>|"[Cc]ode"\s*:\s*"([\w.]{1,60})"/.exec(text)?.slice(1).find(Boolean);
  throw new Error(`${name} at ${url.host} answered ${answer.status}${code === undefined ? '' : ` ${code}`}`);
}

const filled = z.string().min(1);
const answerSchema = z.object({
  AccessKeyId: filled,
  SecretAccessKey: filled,
  Token: filled,
  Expiration: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
});

function toCredentials(name: string, answer: unknown): TemporaryCredentials {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) throw new Error(`${name} gave no credentials`);
  return {
    accessKeyId: data.AccessKeyId,
    secretAccessKey: data.SecretAccessKey,
    sessionToken: data.Token,
    expiresAtMs: Date.parse(data.Expiration),
  };
}
