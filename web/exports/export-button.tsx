import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useTRPCClient } from '../api/trpc.js';
import { quantity } from '../ui/quantity.js';
import { collectExport, type ExportFormat, exportName, type ExportScope, saveFile } from './collect-export.js';

export type ExportButtonProps = ButtonProps & {
  scope: ExportScope;
  /** The approximate number of rows, for the progress; omitted if unknown. */
  total?: number | undefined;
  label?: string;
};

type State = { format: ExportFormat; rows: number; problem: Problem | null } | null;

/** Creates a CSV file or an Excel workbook that can be imported again unchanged. Shows its progress, and can be canceled. */
export function ExportButton({ scope, total, label = t`Export`, ...button }: ExportButtonProps) {
  const api = useTRPCClient();
  const [state, setState] = useState<State>(null);
  const work = useRef<AbortController | null>(null);
  const unit = scope.kind === 'assets' ? 'asset' : 'location';

  async function run(format: ExportFormat): Promise<void> {
    const controller = new AbortController();
    work.current = controller;
    setState({ format, rows: 0, problem: null });
    try {
      const blob = await collectExport(
        api,
        { ...scope, format },
        {
          onRows: (rows) => setState({ format, rows, problem: null }),
          signal: controller.signal,
        },
      );
      saveFile(blob, exportName(scope.kind, format));
      setState(null);
    } catch (error) {
      if (controller.signal.aborted) return;
      const known = problemOf(error);
      const isOurs = error instanceof Error && error.name === 'WorkbookError';
      const problem = isOurs ? { ...known, title: t`Export`, detail: error.message } : known;
      setState((now) => ({ format, rows: now?.rows ?? 0, problem }));
    }
  }

  function close(): void {
    work.current?.abort();
    setState(null);
  }

  return (
    <>
      <Button.Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          {...button}
          onClick={() => void run('csv')}
        >
          {label}
        </Button>
        <Button
          variant="default"
          px="xs"
          {...button}
          title={t`Export as Excel workbook`}
          aria-label={t`Export as Excel workbook`}
          onClick={() => void run('xlsx')}
        >
          <IconFileSpreadsheet size={18} aria-hidden />
        </Button>
      </Button.Group>
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
            {state?.problem && <Button onClick={() => void run(state.format)}>{t`Try again`}</Button>}
            <Button variant="default" onClick={close}>{t`Cancel`}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
