import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** Paths of PEM files. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate for a name or an address, such as `DNS:localhost` or `IP:127.0.0.1`. */
  issue(subjectAltName: string, options?: { readonly isExpired?: boolean }): Certificate;
}

export interface Certificates {
  readonly folder: string;
  newAuthority(): Authority;
  remove(): void;
}

/** Makes real certificates in a folder of its own. */
export function createCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-tls-'));
  let count = 0;
  const openssl = (words: string): void => void execFileSync('openssl', words.split(' '), { stdio: 'pipe' });
  const pathsOf = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const read = ({ certFile, keyFile }: Pick<Certificate, 'certFile' | 'keyFile'>): Certificate => ({
    certFile,
    keyFile,
    cert: readFileSync(certFile, 'utf8'),
    key: readFileSync(keyFile, 'utf8'),
  });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  return {
    folder,
    newAuthority() {
      count += 1;
      const name = `authority-${count}`;
      const paths = pathsOf(name);
      openssl(`req -x509 ${newKey} -keyout ${paths.keyFile} -out ${paths.certFile} -days 2 -subj /CN=${name}`);
      return {
        ...read(paths),
        issue(subjectAltName, { isExpired = false } = {}) {
          count += 1;
          const own = pathsOf(`issued-${count}`);
          const request = join(folder, `issued-${count}.csr`);
          const extensions = join(folder, `issued-${count}.ext`);
          writeFileSync(extensions, `subjectAltName=${subjectAltName}\n`);
          openssl(`req ${newKey} -keyout ${own.keyFile} -out ${request} -subj /CN=peer`);
          const signer = `-CA ${paths.certFile} -CAkey ${paths.keyFile} -CAcreateserial`;
          const days = isExpired ? -1 : 2;
          openssl(`x509 -req -in ${request} ${signer} -out ${own.certFile} -days ${days} -extfile ${extensions}`);
          return read(own);
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
