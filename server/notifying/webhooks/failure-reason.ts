/** Sentences for the codes of a failed connection. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection',
  ECONNRESET: 'The receiver closed the connection',
  EPIPE: 'The receiver closed the connection',
  EHOSTUNREACH: 'The receiver cannot be reached',
  ENETUNREACH: 'The receiver cannot be reached',
  ETIMEDOUT: 'The receiver cannot be reached',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is not signed by a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver is not signed by a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the receiver is not signed by a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the receiver is not signed by a known authority',
};

const lookupReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name does not exist',
  ENODATA: 'The host name has no address',
};

/**
 * Returns why a request has no answer, as a sentence for the log of deliveries. If a host name has several addresses,
 * the error itself has no message.
 */
export function failureReason({ code: given, syscall, message }: NodeJS.ErrnoException): string {
  // The code of an aborted request is a number.
  const code = typeof given === 'string' ? given : '';
  const isLookup = syscall !== undefined && /^(?:query|getaddrinfo)/.test(syscall);
  if (isLookup) return lookupReasons[code] ?? 'The host name cannot be looked up';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'The receiver does not speak TLS as expected';
  return reasons[code] ?? (message || 'The receiver cannot be reached');
}
