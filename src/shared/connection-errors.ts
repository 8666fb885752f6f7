/** Node.js error codes for connections that failed or were lost (`man 3 errno`, and the `dns` module of Node.js). */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);

/** Node.js error codes for rejected certificates (`tls`, "X509 certificate error codes"). */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'EPROTO',
]);

/**
 * Whether a code belongs to a failed TLS handshake. OpenSSL's codes begin with `ERR_SSL_`, those of Node.js with
 * `ERR_TLS_`.
 */
export function isTlsCode(code: string): boolean {
  return certificateCodes.has(code) || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_');
}

/** Whether an error code means that a connection failed or was lost. */
export function isConnectionCode(code: unknown): boolean {
  return typeof code === 'string' && (systemCodes.has(code) || isTlsCode(code));
}
