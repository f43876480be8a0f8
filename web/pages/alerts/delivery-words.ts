import { t } from '@lingui/core/macro';
import { numberText } from '../../ui/quantity.js';

export const deliveryNames = { pending: t`Waiting`, delivered: t`Delivered`, failed: t`Failed` } as const;
export const deliveryColors = { pending: 'blue', delivered: 'green', failed: 'red' } as const;

/** The service's reasons why an attempt has no answer, and the app's text for each. */
const failures: Readonly<Record<string, string>> = {
  'The receiver refused the connection': t`The receiver refused the connection`,
  'The receiver closed the connection': t`The receiver closed the connection`,
  'The connection was closed': t`The receiver closed the connection`,
  'The receiver cannot be reached': t`The receiver can’t be reached`,
  'The receiver does not speak TLS as expected': t`The receiver has no valid encryption (TLS)`,
  'The certificate of the receiver has expired': t`The receiver’s certificate has expired`,
  'The certificate of the receiver is for another host name': t`The receiver’s certificate is for another host name`,
  'The certificate of the receiver is not signed by a known authority': t`The receiver’s certificate is not signed by a known authority`,
  'The host name does not exist': t`The host name does not exist`,
  'The host name has no address': t`The host name has no address`,
  'The host name cannot be looked up': t`The host name can’t be looked up`,
  'The address does not begin with https://': t`The address does not begin with https://`,
  'The address is not on the public Internet': t`The address is not on the public Internet`,
};

/** Returns the text for an attempt without an answer; sentences that the app does not know stay unchanged. */
export function failureText(error: string): string {
  const seconds = /^No answer within (\d+) s$/.exec(error)?.[1];
  if (seconds !== undefined) return t`No answer within ${numberText(Number(seconds))} s`;
  return failures[error] ?? error;
}
