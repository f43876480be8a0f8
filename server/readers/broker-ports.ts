import type { Settings } from '../settings.js';

/** Where readers connect to; `port` is null where that is over TLS alone. A port that the system chose is known once it is open. */
export type BrokerPorts = { port: number | null; tlsPort?: number };

export type KnownBrokerPorts = {
  current(): BrokerPorts;
  /** Set by the ingest broker of this process. Where another process runs it, the shared settings apply. */
  note(ports: BrokerPorts): void;
};

type PortSettings = Pick<Settings, 'mqttPort' | 'mqttPlain' | 'mqttTls'>;

export function createBrokerPorts({ mqttPort, mqttPlain, mqttTls }: PortSettings): KnownBrokerPorts {
  const port = mqttPlain === 'off' ? null : mqttPort;
  let current: BrokerPorts = { port, ...(mqttTls && { tlsPort: mqttTls.port }) };
  return {
    current: () => current,
    note(ports) {
      current = ports;
    },
  };
}
