import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useTRPCClient } from '../api/trpc.js';
import { quantity } from '../ui/quantity.js';
import { collectExport, exportName, type ExportScope, saveFile } from './collect-export.js';

export type ExportButtonProps = ButtonProps & {
  scope: ExportScope;
  /** The approximate number of rows, for the progress; omitted if unknown. */
  total?: number | undefined;
  label?: string;
};

type State = { rows: number; problem: Problem | null } | null;

/** Creates a CSV file that can be imported again unchanged. Shows its progress, and can be canceled. */
export function ExportButton({ scope, total, label = t`Export`, ...button }: ExportButtonProps) {
  const api = useTRPCClient();
  const [state, setState] = useState<State>(null);
  const work = useRef<AbortController | null>(null);
  const unit = scope.kind === 'assets' ? 'asset' : 'location';

  async function run(): Promise<void> {
    const controller = new AbortController();
    work.current = controller;
    setState({ rows: 0, problem: null });
    try {
      const blob = await collectExport(api, scope, {
        onRows: (rows) => setState({ rows, problem: null }),
        signal: controller.signal,
      });
      saveFile(blob, exportName(scope.kind));
      setState(null);
    } catch (error) {
      if (!controller.signal.aborted) setState((now) => ({ rows: now?.rows ?? 0, problem: problemOf(error) }));
    }
  }

  function close(): void {
    work.current?.abort();
    setState(null);
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        {...button}
        onClick={() => void run()}
      >
        {label}
      </Button>
      <Modal
        opened={state !== null}
        onClose={close}
        title={scope.kind === 'assets' ? t`Export assets` : t`Export locations`}
      >
        <Stack>
          <Text aria-live="polite">
            <Trans>{quantity(state?.rows ?? 0, unit)} exported</Trans>
          </Text>
          {state?.problem ? (
            <FormProblem problem={state.problem} />
          ) : (
            <Progress
              aria-label={t`Export`}
              animated={!total}
              value={total ? Math.min(100, ((state?.rows ?? 0) / total) * 100) : 100}
            />
          )}
          <Group justify="flex-end">
            {state?.problem && <Button onClick={() => void run()}>{t`Try again`}</Button>}
            <Button variant="default" onClick={close}>{t`Cancel`}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
