import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { CopyField } from '../ui/copy-field.js';
import { isLocalAddress } from '../browser/local-address.js';
import { ProblemState } from '../ui/problem-state.js';
import { type ReaderDetail, sampleMessage, sampleTopic } from './formats.js';
import { TestRead } from './test-read.js';

type Address = Outputs['readers']['brokerAddress'];

export type ConnectionPanelProps = {
  reader: Pick<ReaderDetail, 'id' | 'mqtt_username' | 'publish_topic' | 'format' | 'mapping' | 'tag_type'>;
  /** The password, known only just after it was created; null later. */
  password: string | null;
};

/** The file with the message for the test command, if a message cannot be generated. */
const messageFile = 'message.json';

/** The settings to enter in a reader, each with a button that copies it, and two ways to test without one. */
export function ConnectionPanel({ reader, password }: ConnectionPanelProps) {
  const trpc = useTRPC();
  const address = useQuery(trpc.readers.brokerAddress.queryOptions(undefined, { staleTime: Infinity }));
  if (address.isError) return <ProblemState error={address.error} onRetry={() => void address.refetch()} />;
  if (!address.data) return null;
  const { port, tls_port } = address.data;
  return (
    <Stack>
      {password !== null && (
        <Alert color="yellow" icon={<IconKey />} title={t`The password is shown only once`}>
          <Trans>You can’t view it again. If you lose it, create a new one on the reader’s page.</Trans>
        </Alert>
      )}
      <AddressNotice address={address.data} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CopyField label={t`Broker address`} value={hostOf(address.data)} />
        {port !== null && <CopyField label={t`Port`} value={String(port)} />}
        {tls_port !== null && <CopyField label={t`Port (TLS)`} value={String(tls_port)} />}
        <CopyField label={t`User name`} value={reader.mqtt_username} />
        {password !== null && <CopyField label={t`Password`} value={password} />}
        <CopyField label={t`Topic`} value={reader.publish_topic} />
        <CopyField label={t`Client ID`} value={reader.mqtt_username} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {tls_port === null ? t`MQTT 3.1.1 or 5, without TLS.` : t`MQTT 3.1.1 or 5, with TLS if the reader supports it.`}{' '}
        <Trans>
          Use a unique client ID per device. Set QoS to 1, so that no read is lost while the connection is down.
        </Trans>
      </Text>
      <Title order={3} size="h5">{t`Test without a reader`}</Title>
      <TestRead readerId={reader.id} />
      {password !== null && (
        <>
          <CopyField label={t`Test command`} value={testCommand(reader, password, address.data)} multiline />
          <Text size="sm" c="dimmed">
            {sampleMessage(reader) === undefined ? (
              <Trans>
                The command connects as the reader and sends the message in the file {messageFile}: save one there as
                your reader sends it.
              </Trans>
            ) : (
              <Trans>
                The command connects as the reader and sends one read of an example tag, which then appears in Unknown
                tags.
              </Trans>
            )}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** A reader can use the name by which this browser reached the server, if the server knows only its local name. */
function hostOf({ host, is_local, is_outside }: Address): string {
  return is_local && !is_outside && !isLocalAddress() ? location.hostname.replaceAll(/^\[|\]$/g, '') : host;
}

function AddressNotice({ address: { is_outside, is_local } }: { address: Address }) {
  if (is_outside) {
    return (
      <Alert icon={<IconInfoCircle />} title={t`Readers connect to an external broker`}>
        <Trans>Create an account with this user name and password on that broker.</Trans>
      </Alert>
    );
  }
  if (!is_local || !isLocalAddress()) return null;
  return (
    <Alert color="orange" icon={<IconInfoCircle />} title={t`Only reachable from this computer`}>
      <Trans>
        To connect readers on other devices, set HOST and BASE_URL on the server to an address in your network.
      </Trans>
    </Alert>
  );
}

/** Returns a shell command that sends one message as the reader would. */
function testCommand(reader: ConnectionPanelProps['reader'], password: string, address: Address): string {
  const { port, tls_port } = address;
  const isTls = port === null;
  const sample = sampleMessage(reader);
  return [
    'mosquitto_pub',
    `-h ${hostOf(address)} -p ${port ?? tls_port}${isTls ? ' --tls-use-os-certs' : ''}`,
    `-u ${reader.mqtt_username} -P ${quoted(password)}`,
    `-q 1 -t ${quoted(sampleTopic(reader))}`,
    sample === undefined ? `-f ${messageFile}` : `-m ${quoted(sample)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
