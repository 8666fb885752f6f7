import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../loopback.ts';

export interface Issued {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface AwsPlatform {
  readonly url: string;
  /** Requests so far, as `METHOD path`. */
  readonly requests: readonly string[];
  /** Sets the response to later requests: credentials, an error, or none at all. */
  behave(as: 'giving' | 'failing' | 'hanging'): void;
  close(): Promise<void>;
}

interface AwsPlatformOptions {
  /** Makes the next credentials. */
  readonly issue: () => Issued;
  readonly lifetimeMs: () => number;
  /** The token that requests of the container and of the web identity must carry. */
  readonly token: () => string;
}

const metadataToken = 'metadata-token';
const roleFolder = '/latest/meta-data/iam/security-credentials/';

/**
 * The credential endpoints of AWS on a loopback port: IMDSv2 of EC2, the container endpoint of ECS and EKS, and STS.
 */
export async function startAwsPlatform(options: AwsPlatformOptions): Promise<AwsPlatform> {
  const requests: string[] = [];
  let behaviour: 'giving' | 'failing' | 'hanging' = 'giving';
  const fresh = () => ({ ...options.issue(), expiration: new Date(Date.now() + options.lifetimeMs()).toISOString() });

  const asJson = (isInstance: boolean): string => {
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = fresh();
    return JSON.stringify({
      ...(isInstance && { Code: 'Success', Type: 'AWS-HMAC' }),
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      Token: sessionToken,
      Expiration: expiration,
    });
  };
  const asXml = (): string => {
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = fresh();
    return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/docmill/docmill</Arn></AssumedRoleUser>
    <Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
      <SessionToken>${sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials>
  </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  };

  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body: string]> => {
    const { method = '', url = '', headers } = request;
    if (method === 'PUT' && url === '/latest/api/token')
      return headers['x-aws-ec2-metadata-token-ttl-seconds'] === undefined ? [400, ''] : [200, metadataToken];
    if (url.startsWith(roleFolder)) {
      if (headers['x-aws-ec2-metadata-token'] !== metadataToken) return [401, 'Unauthorized'];
      return url === roleFolder
        ? [200, 'docmill role\n']
        : url === `${roleFolder}docmill%20role`
          ? [200, asJson(true)]
          : [404, ''];
    }
    if (url === '/v1/credentials')
      return headers.authorization === options.token() ? [200, asJson(false)] : [403, '{"code":"AccessDenied"}'];
    if (method === 'POST' && url === '/') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const isRight =
        form.get('Action') === 'AssumeRoleWithWebIdentity' &&
        form.get('RoleArn') === 'arn:aws:iam::1:role/docmill' &&
        form.get('RoleSessionName') !== null &&
        form.get('WebIdentityToken') === options.token();
      if (isRight) return [200, asXml()];
      return [
        400,
        '<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>hidden</Message></Error></ErrorResponse>',
      ];
    }
    return [404, ''];
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    if (behaviour === 'hanging') return;
    if (behaviour === 'failing') return void response.writeHead(500).end('<Error><Code>InternalFailure</Code></Error>');
    void answer(request).then(([status, body]) => response.writeHead(status).end(body));
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    close,
    requests,
    behave(as) {
      behaviour = as;
    },
  };
}
