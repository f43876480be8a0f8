import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';

type Status = Outputs['imports']['get']['status'];

const looks: Record<Status, { color: string; words: string }> = {
  uploading: { color: 'gray', words: t`Upload incomplete` },
  received: { color: 'gray', words: t`Not checked` },
  checking: { color: 'blue', words: 'Checking' },
  checked: { color: 'petrol', words: 'Checked' },
  applying: { color: 'blue', words: 'Applying' },
  applied: { color: 'green', words: 'Applied' },
  cancelled: { color: 'gray', words: 'Canceled' },
};

export function StatusBadge({ status }: { status: Status }) {
  const { color, words } = looks[status];
  return <Badge color={color}>{words}</Badge>;
}
