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
    if (file.size > bytesMax) onProblem('A file can have at most 64 MiB. Split it into several files.');
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
        <Text>Drop a CSV file here, or</Text>
        <Group justify="center" gap="xs">
          <FileButton
            onChange={(file) => void take(file)}
            accept=".csv,.tsv,.txt,text/csv"
            inputProps={{ 'aria-label': 'CSV file' }}
          >
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={18} aria-hidden />}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            leftSection={<IconClipboard size={18} aria-hidden />}
            aria-expanded={pasted !== null}
            onClick={() => setPasted(pasted === null ? '' : null)}
          >
            Paste text
          </Button>
        </Group>
        {pasted !== null && (
          <Stack w="100%" gap="xs">
            <Textarea
              label="CSV text, with column names in the first line"
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
                onClick={() => onGiven({ name: 'Pasted text', bytes: new TextEncoder().encode(pasted) })}
              >
                Use this text
              </Button>
            </Group>
          </Stack>
        )}
      </Stack>
    </div>
  );
}
