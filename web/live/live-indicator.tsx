import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useFormats } from '../ui/formats.js';
import { exactTime } from '../ui/times.js';
import classes from './live-indicator.module.css';
import { useLiveStatus } from './provider.js';

/** Shows that the data may be outdated, and since when; disappears when they are current again. */
export function LiveIndicator() {
  const status = useLiveStatus();
  return (
    <div role="status" className={classes['indicator']}>
      {status.state === 'lost' && <Lost sinceMs={status.sinceMs} />}
      {status.state === 'live' && (
        <Tooltip label={t`Moves appear as they happen`}>
          <span className={classes['light']}>
            <VisuallyHidden>{t`Live`}</VisuallyHidden>
          </span>
        </Tooltip>
      )}
    </div>
  );
}

function Lost({ sinceMs }: { sinceMs: number }) {
  const { clock } = useFormats();
  return (
    <Tooltip multiline maw={300} label={t`No updates since ${exactTime(sinceMs)}. Reconnecting automatically.`}>
      <Badge
        color="orange"
        size="lg"
        tabIndex={0}
        leftSection={<IconPlugConnectedX size={14} aria-hidden />}
        className={classes['lost']}
      >
        <Trans>
          Not live<span className={classes['since']}> since {clock.format(sinceMs)}</span>
        </Trans>
      </Badge>
    </Tooltip>
  );
}
