import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/**
 * A registry on this machine, so that npm installs packed files as it does for anybody, without a network: it has the packages in
 * `packed` (name to .tgz), and those of this repository's node_modules, packed when they are asked for.
 */
export async function startRegistry(packed: ReadonlyMap<string, string>): Promise<{ url: string; server: Server }> {
  const readPackage = (name: string): { manifest: Manifest; tarball: () => Buffer } | undefined => {
    const file = packed.get(name);
    if (file !== undefined) {
      const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
      return { manifest: JSON.parse(text) as Manifest, tarball: () => readFileSync(file) };
    }
    const folder = resolve('node_modules', name);
    if (!existsSync(join(folder, 'package.json'))) return undefined;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const words = ['-czf', '-', '-C', folder, '--exclude=./node_modules', '--transform=s,^\\./,package/,', './'];
    return { manifest, tarball: () => execFileSync('tar', words, { maxBuffer: 256 * 1024 * 1024 }) };
  };
  const server = createServer((request, response) => {
    const [path = '', isTarball] = (request.url ?? '/').slice(1).split('/-/');
    const found = readPackage(decodeURIComponent(path));
    if (found === undefined) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not_found"}');
      return;
    }
    if (isTarball !== undefined) {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(found.tarball());
      return;
    }
    const { name, version } = found.manifest;
    const dist = { tarball: `http://${request.headers.host}/${name}/-/package.tgz` };
    const versions = { [version]: { ...found.manifest, dist } };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
