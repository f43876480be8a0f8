import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboard, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import classes from './drop-area.module.css';

export type Given = { name: string; bytes: Uint8Array };

const bytesMax = 64 * 1024 * 1024;

type DropAreaProps = { onGiven: (given: Given) => void; onProblem: (message: string) => void };

/** Takes a file that is chosen or dropped, or text that is pasted. */
export function DropArea({ onGiven, onProblem }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState<string | null>(null);

  async function take(file: File | null | undefined): Promise<void> {
    if (!file) return;
    if (file.size > bytesMax) onProblem(t`A file can have at most 64 MiB. Split it into several files.`);
    else onGiven({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  function drag(event: DragEvent): void {
    event.preventDefault();
    setOver(event.type === 'dragover');
  }

  return (
    <div className={classes['area']} data-over={isOver} onDrop={drop} onDragOver={drag} onDragLeave={drag}>
      <Stack align="center" gap="sm">
        <Text>{t`Drop a CSV or Excel file here, or`}</Text>
        <Group justify="center" gap="xs">
          <FileButton
            onChange={(file) => void take(file)}
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            inputProps={{ 'aria-label': t`CSV or Excel file` }}
          >
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={18} aria-hidden />}>{t`Choose a file`}</Button>
            )}
          </FileButton>
          <Button
            variant="default"
            leftSection={<IconClipboard size={18} aria-hidden />}
            aria-expanded={pasted !== null}
            onClick={() => setPasted(pasted === null ? '' : null)}
          >
            <Trans>Paste text</Trans>
          </Button>
        </Group>
        {pasted !== null && (
          <Stack w="100%" gap="xs">
            <Textarea
              label={t`CSV text, with column names in the first line`}
              autosize
              minRows={4}
              maxRows={12}
              ta="start"
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button
                disabled={pasted.trim() === ''}
                onClick={() => onGiven({ name: t`Pasted text`, bytes: new TextEncoder().encode(pasted) })}
              >
                <Trans>Use this text</Trans>
              </Button>
            </Group>
          </Stack>
        )}
      </Stack>
    </div>
  );
}
