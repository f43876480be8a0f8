import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { ScanBatch, ScanPlace } from '../../scanning/batch.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import type { Scanning } from './use-scanning.js';

type MoveQuestionProps = Pick<Scanning, 'moveOn' | 'takeAlong' | 'stay'> & {
  open: ScanBatch;
  question: ScanPlace;
};

/** Asks what to do with unsent scans after another place's tag was scanned, and with a container that was scanned. */
export function MoveQuestion({ open, question, moveOn, takeAlong, stay }: MoveQuestionProps) {
  const count = open.reads.length;
  const isContainer = question.is === 'container';
  const label = isContainer ? t`Put what follows into it?` : t`Continue at another location?`;
  return (
    <Paper withBorder p="md" role="group" aria-label={label}>
      <Stack gap="sm">
        <Text component="div">
          <Question open={open} question={question} />
        </Text>
        <Group gap="sm">
          <Button size="md" onClick={moveOn}>
            {count > 0 ? t`Send and continue` : t`Continue`}
          </Button>
          {count > 0 && open.place.is !== 'out' && (
            <Button size="md" variant="default" onClick={takeAlong}>
              {isContainer ? t`Put these scans into it` : t`Move these scans`}
            </Button>
          )}
          <Button size="md" variant="default" onClick={stay}>
            {isContainer ? containerHereText(open.place) : t`Stay here`}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Question({ open: { reads, place }, question: { name, is } }: Pick<MoveQuestionProps, 'open' | 'question'>) {
  if (place.is === 'out') {
    return (
      <Trans>
        Take {quantity(reads.length, 'asset')} out and continue at <UserText>{name}</UserText>?
      </Trans>
    );
  }
  if (is !== 'container') {
    return (
      <Trans>
        Send {quantity(reads.length, 'scan')} to <UserText>{place.name}</UserText> and continue at{' '}
        <UserText>{name}</UserText>?
      </Trans>
    );
  }
  if (reads.length === 0) {
    return (
      <Trans>
        Put what follows into <UserText>{name}</UserText>?
      </Trans>
    );
  }
  return (
    <Trans>
      Send {quantity(reads.length, 'scan')} to <UserText>{place.name}</UserText> and put what follows into{' '}
      <UserText>{name}</UserText>?
    </Trans>
  );
}

/** What else a scan of a container can mean: that it is at the location, or goes into the other container. */
function containerHereText({ name, is }: ScanPlace): string {
  return is === 'container' ? t`Put it into ${name}` : t`It is here, too`;
}
