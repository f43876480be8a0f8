import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, VisuallyHidden } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { memo } from 'react';
import type { LivePosition } from '../../live/hub.js';
import { AssetLink, LocationLink } from '../../ui/object-links.js';
import { SeenWhen } from '../../ui/seen-when.js';
import classes from './home.module.css';

/** One move: the asset, from where to where, and when. */
export const MoveRow = memo(function MoveRow({ move, isFresh }: { move: LivePosition; isFresh: boolean }) {
  const { from_location_id: fromId, from_location_name: fromName } = move;
  return (
    <li className={classes['move']} data-fresh={isFresh}>
      <AssetLink id={move.asset_id} name={move.asset_name} fw={550} lines={1} />
      <Text size="sm" c="dimmed" className={classes['when']} component="div">
        <SeenWhen at={move.located_since} placement={move.placement} />
      </Text>
      <Text size="sm" component="div" className={classes['to']}>
        {fromId !== null && fromName !== null ? (
          <Trans>
            <VisuallyHidden>from </VisuallyHidden>
            <LocationLink id={fromId} name={fromName} inherit lines={1} />
            <Arrow />
            <VisuallyHidden>to </VisuallyHidden>
            <Destination move={move} />
          </Trans>
        ) : (
          <Trans>
            <Arrow />
            <VisuallyHidden>to </VisuallyHidden>
            <Destination move={move} />
          </Trans>
        )}
      </Text>
    </li>
  );
});

function Arrow() {
  return <IconArrowRight size={14} className={classes['arrow']} aria-hidden />;
}

function Destination({ move: { location_id: id, location_name: name } }: { move: LivePosition }) {
  return id === null ? (
    <Text span c="dimmed" inherit>{t`reader without a location`}</Text>
  ) : (
    <LocationLink id={id} name={name ?? ''} inherit lines={1} />
  );
}
