import { isIP } from 'node:net';
import { sessionProcedure } from '../../trpc.js';

/** The settings that a reader needs to find the service. */
export type BrokerAddress = {
  host: string;
  /** Null if the broker accepts only TLS connections. */
  port: number | null;
  /** Null without a certificate. */
  tls_port: number | null;
  /**
   * Whether the host is a name or address that is valid only on this machine, so that no reader elsewhere can reach it.
   */
  is_local: boolean;
  /** Whether readers connect to an external broker, which authenticates them by its own accounts. */
  is_outside: boolean;
};

/**
 * Returns the address of the MQTT broker that readers connect to: the embedded broker on the host of the web address,
 * or the external broker.
 */
export const brokerAddress = sessionProcedure('admin').query(({ ctx }): BrokerAddress => {
  const { settings, brokerPorts } = ctx.services;
  const { externalBroker } = settings;
  if (externalBroker) {
    const { host, port, isTls } = externalBroker;
    return {
      host,
      port: isTls ? null : port,
      tls_port: isTls ? port : null,
      is_local: isLocal(host),
      is_outside: true,
    };
  }
  const { port, tlsPort = null } = brokerPorts.current();
  // Only in a URL is an IPv6 address in brackets.
  const host = new URL(settings.baseUrl).hostname.replaceAll(/^\[|\]$/g, '');
  return { host, port, tls_port: tlsPort, is_local: isLocal(host), is_outside: false };
});

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
