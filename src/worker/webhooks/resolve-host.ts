import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

const timeoutMs = 3_000;
const tries = 2;
const noAnswer = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Resolves a host with this machine's name servers, IPv4 first. Bypasses the C library, where a slow name server would block
 * threads that the whole process shares.
 */
export function createHostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const ask = async (query: Promise<string[]>): Promise<readonly string[]> => {
    try {
      return await query;
    } catch (error) {
      if (error instanceof Error && 'code' in error && noAnswer.has(String(error.code))) return [];
      throw error;
    }
  };
  return async (host) => {
    if (ipaddr.isValid(host)) return [host];
    return (await Promise.all([ask(resolver.resolve4(host)), ask(resolver.resolve6(host))])).flat();
  };
}
