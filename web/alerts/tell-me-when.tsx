import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { IconBellPlus } from '@tabler/icons-react';
import { MenuItemLink } from '../ui/links.js';
import type { Trigger } from './triggers.js';

type TellMeWhenProps = { asset_id: number; location_id?: never } | { asset_id?: never; location_id: number };

const ofAsset: { when: Trigger; label: string }[] = [
  { when: 'leaving', label: t`it leaves a location` },
  { when: 'entering', label: t`it enters a location` },
  { when: 'asset.overdue', label: t`it is not seen for some time` },
  { when: 'asset.dwell_exceeded', label: t`it is at a location for too long` },
  { when: 'asset.away', label: t`it is away from where it belongs for too long` },
  { when: 'asset.battery_low', label: t`the battery of its tag is low` },
  { when: 'asset.temperature_high', label: t`it is too warm` },
  { when: 'asset.temperature_low', label: t`it is too cold` },
  { when: 'asset.button_pressed', label: t`its button is pressed` },
  { when: 'asset.left_container', label: t`it leaves its container` },
  { when: 'asset.problem_reported', label: t`a problem of it is reported` },
];

const ofLocation: { when: Trigger; label: string }[] = [
  { when: 'leaving', label: t`an asset leaves it` },
  { when: 'entering', label: t`an asset enters it` },
  { when: 'asset.dwell_exceeded', label: t`an asset is here for too long` },
  { when: 'asset.away', label: t`an asset that belongs here is away for too long` },
  { when: 'asset.problem_reported', label: t`a problem of an asset here is reported` },
  { when: 'reader.offline', label: t`a reader here goes offline` },
];

/** A menu of rules about one object. Each entry opens the form for a new rule with the object filled in. */
export function TellMeWhen(about: TellMeWhenProps) {
  const choices = about.asset_id === undefined ? ofLocation : ofAsset;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconBellPlus size={16} aria-hidden />}>
          <Trans>Tell me when…</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ when, label }) => (
          <MenuItemLink key={when} to="/alerts/rules/new" search={{ when, ...about }}>
            … {label}
          </MenuItemLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
