import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useTRPCClient } from '../api/trpc.js';
import { FormModal } from '../ui/form-modal.js';
import { showUndoNotice } from '../ui/undo-notice.js';
import { UserText } from '../ui/user-text.js';
import { useMarkProblem } from './use-mark-problem.js';

const textMax = 500;
const frequent = [t`Broken`, t`Needs cleaning`, t`Incomplete`];

type Reported = { asset: { id: number; name: string } };

/** A button that opens a dialog to report a problem of an asset. */
export function ReportProblem({ asset, size }: Reported & Pick<ButtonProps, 'size'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        {...(size && { size })}
        variant="default"
        leftSection={<IconAlertTriangle size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        <Trans>Report a problem</Trans>
      </Button>
      {isOpen && <ReportDialog asset={asset} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReportDialog({ asset: { id, name }, onClose }: Reported & { onClose: () => void }) {
  const api = useTRPCClient();
  const { mark, refresh } = useMarkProblem(id);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = text.trim().replaceAll(/\s+/g, ' ');

  async function report(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setProblem(null);
    setBusy(true);
    try {
      const { id: problemId, is_new: isNew } = await api.assetProblems.report.mutate({ asset_id: id, text: words });
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
