import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, type ButtonProps, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { monotonicFactory } from 'ulid';
import { isOffline, type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useTRPCClient } from '../api/trpc.js';
import { useScanQueue } from '../scanning/use-scan-queue.js';
import { FormModal } from '../ui/form-modal.js';
import { showUndoNotice } from '../ui/undo-notice.js';
import { UserText } from '../ui/user-text.js';
import { useMarkProblem } from './use-mark-problem.js';

const makeId = monotonicFactory();
/** A report that takes longer than this is queued, and sent again with the same id. */
const reportMaxMs = 10_000;
const textMax = 500;
const frequent = [t`Broken`, t`Needs cleaning`, t`Incomplete`];

type Reported = { asset: { id: number; name: string } };

/** A button, or a small one with an icon alone, that opens a dialog to report a problem of an asset. */
export function ReportProblem({ asset, size, isIcon }: Reported & Pick<ButtonProps, 'size'> & { isIcon?: true }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  return (
    <>
      {isIcon ? (
        <ActionIcon size={44} aria-label={t`Report a problem of ${asset.name}`} onClick={open}>
          <IconAlertTriangle size={22} stroke={1.7} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          {...(size && { size })}
          variant="default"
          leftSection={<IconAlertTriangle size={16} aria-hidden />}
          onClick={open}
        >
          <Trans>Report a problem</Trans>
        </Button>
      )}
      {isOpen && <ReportDialog asset={asset} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReportDialog({ asset: { id, name }, onClose }: Reported & { onClose: () => void }) {
  const api = useTRPCClient();
  const [queue] = useScanQueue();
  const { mark, refresh } = useMarkProblem(id);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = text.trim().replaceAll(/\s+/g, ' ');

  async function report(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setProblem(null);
    setBusy(true);
    const submissionId = makeId();
    const keep = async (maybeStored: boolean): Promise<boolean> => {
      try {
        await queue.report({ id: submissionId, asset: { id, name }, text: words, maybeStored });
      } catch {
        return false;
      }
      onClose();
      notifications.show({ message: t`The problem of ${name} will be reported as soon as you are connected` });
      return true;
    };
    try {
      if (!navigator.onLine && (await keep(false))) return;
      const { id: problemId, is_new: isNew } = await api.assetProblems.report.mutate(
        { asset_id: id, text: words, submission_id: submissionId },
        { signal: AbortSignal.timeout(reportMaxMs), context: { alone: true } },
      );
      await refresh();
      onClose();
      if (!isNew) notifications.show({ message: t`This problem of ${name} is reported already` });
      else {
        showUndoNotice(t`Problem of ${name} reported`, async () => {
          await mark(problemId, true);
          return t`Report taken back`;
        });
      }
    } catch (error) {
      if (isOffline(error) && (await keep(true))) return;
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  return (
    <FormModal isDirty={words !== ''} onClose={onClose} title={t`Report a problem`}>
      <form noValidate onSubmit={(event) => void report(event)}>
        <Stack>
          <Text fw={550} component="div">
            <UserText>{name}</UserText>
          </Text>
          <Group gap="xs" role="group" aria-label={t`Frequent problems`}>
            {frequent.map((choice, index) => (
              <Button
                key={choice}
                variant={words === choice ? 'light' : 'default'}
                aria-pressed={words === choice}
                data-autofocus={index === 0 || undefined}
                onClick={() => setText(words === '' || frequent.includes(words) ? choice : `${choice}: ${words}`)}
              >
                {choice}
              </Button>
            ))}
          </Group>
          <Textarea
            label={t`What is wrong?`}
            required
            autosize
            minRows={2}
            maxLength={textMax}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={isBusy} disabled={words === ''}>{t`Report`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
