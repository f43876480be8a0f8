import type { Settings } from '../../kernel/settings.js';

/**
 * The ports that readers connect to; `port` is null if only TLS is accepted. A port chosen by the system is known once
 * it is open.
 */
export type BrokerPorts = { port: number | null; tlsPort?: number };

export type KnownBrokerPorts = {
  current(): BrokerPorts;
  /**
   * Records the ports of the ingest broker of this process. If another process runs the broker, the shared settings
   * apply.
   */
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
