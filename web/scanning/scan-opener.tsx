import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRouter } from '@tanstack/react-router';
import { useSession } from '../session/context.js';
import { useResolver } from './use-scan-queue.js';
import { useScansElsewhere } from './use-wedge-scanner.js';

const noticeId = 'scan-opener';
const noticeMs = 15_000;

/** Opens the object that a scan names, on every page that does not handle scans itself. */
export function ScanOpener() {
  const router = useRouter();
  const resolver = useResolver();
  const { can } = useSession();

  async function open(value: string): Promise<void> {
    // An open dialog has to be answered first.
    if (document.querySelector('[aria-modal="true"]')) return;
    const resolution = await resolver.resolve(value);
    notifications.hide(noticeId);
    const notice = { id: noticeId, color: 'red', title: value, autoClose: noticeMs };
    if (resolution === 'unanswered') {
      notifications.show({ ...notice, message: t`This scan can’t be looked up now. Check your connection.` });
      return;
    }
    const [match] = resolution.matches;
    if (match?.kind === 'asset') {
      await router.navigate({ to: '/assets/$assetId', params: { assetId: String(match.id) } });
    } else if (match) {
      await router.navigate({ to: '/locations/$locationId', params: { locationId: String(match.id) } });
    } else {
      const create = () => {
        notifications.hide(noticeId);
        void router.navigate({ to: '/assets/new', search: { tag: value } });
      };
      const message = (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t`Unknown tag`}</Text>
          {can('manager') && <Button size="sm" onClick={create}>{t`Create asset`}</Button>}
        </Stack>
      );
      notifications.show({ ...notice, message });
    }
  }

  useScansElsewhere((value) => void open(value));
  return null;
}
