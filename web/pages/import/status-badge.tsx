import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';

type Status = Outputs['imports']['get']['status'];

const looks: Record<Status, { color: string; words: string }> = {
  uploading: { color: 'gray', words: t`Upload incomplete` },
  received: { color: 'gray', words: t`Not checked` },
  checking: { color: 'blue', words: t`Checking` },
  checked: { color: 'petrol', words: t`Checked` },
  applying: { color: 'blue', words: t`Applying` },
  applied: { color: 'green', words: t`Applied` },
  cancelled: { color: 'gray', words: t`Canceled` },
};

export function StatusBadge({ status }: { status: Status }) {
  const { color, words } = looks[status];
  return <Badge color={color}>{words}</Badge>;
}
