import { t } from '@lingui/core/macro';
import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconAntennaBarsOff,
  IconClockPause,
  IconDoorEnter,
  IconDoorExit,
  IconEyeOff,
  IconHomeMove,
  IconPackageExport,
  IconQuestionMark,
} from '@tabler/icons-react';
import type { Trigger } from '../../alerts/triggers.js';
import { ButtonLink } from '../../ui/links.js';

const templates: { when: Trigger; label: string; icon: Icon }[] = [
  { when: 'leaving', label: t`an asset leaves a location`, icon: IconDoorExit },
  { when: 'entering', label: t`an asset enters a location`, icon: IconDoorEnter },
  { when: 'asset.overdue', label: t`an asset is not seen for some time`, icon: IconEyeOff },
  { when: 'asset.dwell_exceeded', label: t`an asset is at a location for too long`, icon: IconClockPause },
  { when: 'asset.away', label: t`an asset is away from where it belongs`, icon: IconHomeMove },
  { when: 'asset.left_container', label: t`an asset leaves its container`, icon: IconPackageExport },
  { when: 'asset.problem_reported', label: t`a problem of an asset is reported`, icon: IconAlertTriangle },
  { when: 'reader.offline', label: t`a reader goes offline`, icon: IconAntennaBarsOff },
  { when: 'tag.unknown', label: t`an unknown tag is read`, icon: IconQuestionMark },
];

/** Templates for rules; each opens the form with the event filled in. */
export function RuleTemplates() {
  return (
    <Stack gap="sm" component="section" aria-label={t`Rule templates`}>
      <Title order={2} size="h4">{t`Tell me when…`}</Title>
      <Text c="dimmed">{t`Choose a sentence, then the asset or location that it is about.`}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {templates.map(({ when, label, icon: Picture }) => (
          <ButtonLink
            key={when}
            to="/alerts/rules/new"
            search={{ when }}
            variant="default"
            size="lg"
            justify="flex-start"
            fz="sm"
            h="auto"
            py="sm"
            leftSection={<Picture size={22} stroke={1.6} aria-hidden />}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4, overflow: 'visible' } }}
          >
            … {label}
          </ButtonLink>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
