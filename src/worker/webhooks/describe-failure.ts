const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'the host has no address',
  ETIMEOUT: 'the name of the host could not be looked up',
  ESERVFAIL: 'the name of the host could not be looked up',
  ERR_NO_ANSWER: 'the connection was closed without an answer',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
};

/** Why a request got no answer, in words for the owner of the endpoint. */
export function describeFailure(error: unknown): string {
  const known = codesOf(error)
    .map((code) => texts[code])
    .find((text) => text !== undefined);
  if (known !== undefined) return known;
  const [code = ''] = codesOf(error);
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code)) {
    return `no TLS connection could be made (${code})`;
  }
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

/** The codes of an error and of those it gathers: one for each address that was tried. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return error instanceof AggregateError ? [...error.errors.flatMap(codesOf), ...own] : own;
}
