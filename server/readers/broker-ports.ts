import type { Settings } from '../settings.js';

/** Where readers connect to; `port` is null where that is over TLS alone. A port that the system chose is known once it is open. */
export type BrokerPorts = { port: number | null; tlsPort?: number };

export type KnownBrokerPorts = {
  current(): BrokerPorts;
  /** Told by the door of this process; where it is another process's, the settings they share hold. */
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
