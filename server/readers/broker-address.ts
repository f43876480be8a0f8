import { isIP } from 'node:net';
import { sessionProcedure } from '../trpc.js';

/** What is typed into a reader so that it finds the service. */
export type BrokerAddress = {
  host: string;
  /** Null where the broker takes connections over TLS alone. */
  port: number | null;
  /** Null without a certificate. */
  tls_port: number | null;
  /** Whether the host is a name or address of this machine alone, which no reader elsewhere can reach. */
  is_local: boolean;
  /** Whether readers connect to a broker elsewhere, whose own accounts let them in. */
  is_outside: boolean;
};

/** The address of the MQTT broker that readers connect to: beside the web address, or of the broker elsewhere. */
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
  // An IPv6 address stands in brackets in a URL, and nowhere else.
  const host = new URL(settings.baseUrl).hostname.replaceAll(/^\[|\]$/g, '');
  return { host, port, tls_port: tlsPort, is_local: isLocal(host), is_outside: false };
});

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
