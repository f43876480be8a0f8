import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useServer } from '../api/use-server.js';
import { formatNames, type ReaderDetail } from './formats.js';

/** The format that can parse the reader's messages, if it is not the present format, with a button to set it. */
export function RecognizedFormat({ reader }: { reader: ReaderDetail }) {
  const { trpc, refresh } = useServer();
  const update = useMutation(
    trpc.readers.update.mutationOptions({
      onSuccess: () => refresh(trpc.readers),
    }),
  );
  const { recognized_format: format } = reader;
  if (!format) return null;
  const { label } = formatNames[format];
  return (
    <>
      <Group gap="sm" mt="xs">
        <Text size="sm">
          <Trans>
            These messages look like {label}, but the reader is set to {formatNames[reader.format].label}.
          </Trans>
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={update.isPending}
          onClick={() => update.mutate({ id: reader.id, format })}
        >
          <Trans>Switch to {label}</Trans>
        </Button>
      </Group>
      <FormProblem problem={update.error ? problemOf(update.error) : null} />
    </>
  );
}
