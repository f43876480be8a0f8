import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { CopyField } from '../ui/copy-field.js';
import { ProblemState } from '../ui/problem-state.js';

type BrokerAddress = Outputs['readers']['brokerAddress'];

export type ReaderConnectionProps = {
  username: string;
  topic: string;
  /** Known just after it was made; null later. */
  password: string | null;
};

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** What is typed into a reader so that it finds the service and is let in, each with a button that copies it. */
export function ReaderConnection({ username, topic, password }: ReaderConnectionProps) {
  const trpc = useTRPC();
  const address = useQuery(trpc.readers.brokerAddress.queryOptions(undefined, { staleTime: Infinity }));
  return (
    <Stack>
      {address.error && <ProblemState error={address.error} onRetry={() => void address.refetch()} />}
      {address.data && <AddressNotice address={address.data} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CopyField label="Broker address" value={address.data ? hostOf(address.data) : '…'} />
        <CopyField label={portLabel(address.data)} value={address.data ? portOf(address.data) : '…'} />
        <CopyField label="User name" value={username} />
        {password !== null && <CopyField label="Password" value={password} />}
        <CopyField label="Topic" value={topic} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        The protocol is MQTT 3.1.1.
        {password !== null && ' The password is shown only once. If you lose it, create a new one.'}
      </Text>
    </Stack>
  );
}

/** The name that this browser reached the service by does for a reader too, where the service knows none but its own. */
function hostOf({ host, is_local, is_outside }: BrokerAddress): string {
  return is_local && !is_outside && !isLocalHere() ? location.hostname.replaceAll(/^\[|\]$/g, '') : host;
}

function isLocalHere(): boolean {
  return localNames.includes(location.hostname);
}

function portLabel(address: BrokerAddress | undefined): string {
  return address && address.port === null ? 'Port (TLS)' : 'Port';
}

function portOf({ port, tls_port }: BrokerAddress): string {
  return String(port ?? tls_port);
}

function AddressNotice({ address }: { address: BrokerAddress }) {
  const { is_outside, is_local, port, tls_port } = address;
  if (is_outside) {
    return (
      <Alert icon={<IconInfoCircle />} title="Readers connect to an MQTT broker of your own">
        Create an account with this user name and password on that broker.
      </Alert>
    );
  }
  if (is_local && isLocalHere()) {
    return (
      <Alert color="orange" icon={<IconInfoCircle />} title="Only reachable from this computer">
        To connect readers on other devices, set HOST and BASE_URL on the server to an address in your network.
      </Alert>
    );
  }
  if (port !== null && tls_port !== null) {
    return (
      <Alert icon={<IconInfoCircle />} title={`TLS is available on port ${tls_port}`}>
        Use TLS if the reader supports it, so that its password is encrypted in transit.
      </Alert>
    );
  }
  return null;
}
