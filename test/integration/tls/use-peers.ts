import { chmodSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll } from 'vitest';
import { createCertificates } from '../../support/services/certificates.ts';

/** An authority of the tests, another one, and the four certificates that a peer may have. */
export function usePeers() {
  const certificates = createCertificates();
  chmodSync(certificates.folder, 0o755);
  afterAll(() => certificates.remove());
  const authority = certificates.newAuthority();
  const other = certificates.newAuthority();
  return {
    authority,
    other,
    folder: certificates.folder,
    right: authority.issue('DNS:localhost,IP:127.0.0.1'),
    wrongName: authority.issue('DNS:elsewhere.example'),
    expired: authority.issue('DNS:localhost,IP:127.0.0.1', { isExpired: true }),
    /** Issued by an authority that nobody trusts. */
    untrusted: other.issue('DNS:localhost,IP:127.0.0.1'),
  };
}

/** Starts a TLS front for a server on this machine that has no TLS. */
export async function startTlsFront(
  { cert, key }: { readonly cert: string; readonly key: string },
  port: number,
): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createTlsServer({ cert, key }, (client) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.add(client).add(upstream);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
