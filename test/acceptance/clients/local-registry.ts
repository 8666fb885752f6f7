import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';

interface Release {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: () => Buffer;
}

/**
 * A registry on this machine, so that npm installs without a network. It packs the packages of this repository's
 * node_modules when they are requested. Our own packages are missing, as in public registries.
 */
export async function startRegistry(): Promise<{ url: string; server: Server }> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: object };
  // One package may be installed in several versions, each in the folder of the package that needs it.
  const folders = Object.keys(packages).map((path) => resolve(path));
  const findReleases = (name: string): readonly Release[] =>
    /^(@docmill\/.*|docmill)$/.test(name)
      ? []
      : folders.filter((path) => path.endsWith(`/node_modules/${name}`)).flatMap(readInstalled);
  const server = createServer((request, response) => {
    const [path = '', file] = (request.url ?? '/').slice(1).split('/-/');
    const releases = findReleases(decodeURIComponent(path));
    if (releases.length === 0) {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not_found"}');
      return;
    }
    if (file !== undefined) {
      const asked = releases.find(({ manifest }) => file === fileName(manifest));
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(asked?.tarball());
      return;
    }
    const versions = releases.map(({ manifest }) => {
      const tarball = `http://${request.headers.host}/${manifest.name}/-/${fileName(manifest)}`;
      return [manifest.version, { ...manifest, dist: { tarball } }] as const;
    });
    const tags = { latest: versions[0]?.[0] };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ name: releases[0]?.manifest.name, 'dist-tags': tags, versions: Object.fromEntries(versions) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** The name that the npm registry and lock files use. */
const fileName = ({ name, version }: Release['manifest']): string => `${basename(name)}-${version}.tgz`;

function readInstalled(folder: string): readonly Release[] {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return [];
  // Not compressed, because compression takes most of the time; npm reads both.
  const words = ['-cf', '-', '-C', folder, '--exclude=./node_modules', '--transform=s,^\\./,package/,', './'];
  const tarball = () => execFileSync('tar', words, { maxBuffer: 256 * 1024 * 1024 });
  return [{ manifest: JSON.parse(readFileSync(path, 'utf8')) as Release['manifest'], tarball }];
}
