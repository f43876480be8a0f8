import type { Settings } from '../settings.js';

/** Where readers connect to. A port that the system chose is known once the door is open. */
export type BrokerPorts = { port: number; tlsPort?: number };

export type KnownBrokerPorts = {
  current(): BrokerPorts;
  /** Told by the door of this process; where it is another process's, the settings they share hold. */
  note(ports: BrokerPorts): void;
};

export function createBrokerPorts({ mqttPort, mqttTls }: Pick<Settings, 'mqttPort' | 'mqttTls'>): KnownBrokerPorts {
  let current: BrokerPorts = { port: mqttPort, ...(mqttTls && { tlsPort: mqttTls.port }) };
  return {
    current: () => current,
    note(ports) {
      current = ports;
    },
  };
}
