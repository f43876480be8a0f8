import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { ReaderStatus } from '../../readers/formats.js';
import classes from './readers.module.css';

export const statusNames: Readonly<Record<ReaderStatus, string>> = {
  receiving: t`Receiving`,
  rejecting: t`Unrecognized`,
  refused: t`Login refused`,
  connected: t`Connected`,
  silent: t`Silent`,
  never: t`Never connected`,
};

const colors: Readonly<Record<ReaderStatus, string>> = {
  receiving: 'green',
  rejecting: 'orange',
  refused: 'orange',
  connected: 'blue',
  silent: 'red',
  never: 'gray',
};

/** The status of a reader: a colored light, and always the word. */
export function StatusLight({ status }: { status: ReaderStatus }) {
  return (
    <Badge
      color={colors[status]}
      leftSection={<span className={classes['light']} data-live={status === 'receiving'} aria-hidden />}
    >
      {statusNames[status]}
    </Badge>
  );
}
