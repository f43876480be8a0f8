import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { CopyField } from '../../ui/copy-field.js';
import { ProblemState } from '../../ui/problem-state.js';
import { type ReaderDetail, sampleMessage, sampleTopic } from './formats.js';

type Address = Outputs['readers']['brokerAddress'];

type CredentialsProps = {
  reader: Pick<ReaderDetail, 'mqtt_username' | 'publish_topic' | 'format' | 'mapping' | 'tag_type'>;
  password: string;
};

/** What is typed into a reader, the password this once. */
export function Credentials({ reader, password }: CredentialsProps) {
  const trpc = useTRPC();
  const address = useQuery(trpc.readers.brokerAddress.queryOptions());
  if (address.isError) return <ProblemState error={address.error} onRetry={() => void address.refetch()} />;
  if (!address.data) return null;
  const { host, port, tls_port, is_local, is_outside } = address.data;
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey />} title="The password is shown only once">
        You can’t view it again. If you lose it, create a new one on the reader’s page.
      </Alert>
      {is_local && (
        <Alert color="blue" icon={<IconInfoCircle />} title="Only reachable from this computer">
          To connect readers on other devices, set HOST and BASE_URL on the server to an address in your network.
        </Alert>
      )}
      {is_outside && (
        <Alert color="blue" icon={<IconInfoCircle />} title="Readers connect to an external broker">
          Create an account with this user name and password on that broker.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CopyField label="Broker host" value={host} />
        {port !== null && <CopyField label="Port" value={String(port)} />}
        {tls_port !== null && <CopyField label="Port with TLS" value={String(tls_port)} />}
        <CopyField label="User name" value={reader.mqtt_username} />
        <CopyField label="Password" value={password} />
        <CopyField label="Topic" value={reader.publish_topic} />
        <CopyField label="Client ID" value={reader.mqtt_username} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        MQTT 3.1.1{tls_port === null ? ', without TLS' : ', with TLS where the device can'}. Use a unique client ID per
        device. Set QoS to 1, so that no read is lost while the connection is down.
      </Text>
      <CopyField label="Try it without a reader" value={trialCommand(reader, password, address.data)} multiline />
      <Text size="sm" c="dimmed">
        The command sends one read of an example tag, which then appears in Unknown tags.
      </Text>
    </Stack>
  );
}

/** A line for a shell that sends one message as the reader would. */
function trialCommand(reader: CredentialsProps['reader'], password: string, address: Address): string {
  const { host, port, tls_port } = address;
  const isTls = port === null;
  return [
    'mosquitto_pub',
    `-h ${host} -p ${port ?? tls_port}${isTls ? ' --tls-use-os-certs' : ''}`,
    `-u ${reader.mqtt_username} -P ${quoted(password)}`,
    `-q 1 -t ${quoted(sampleTopic(reader))}`,
    `-m ${quoted(sampleMessage(reader))}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
