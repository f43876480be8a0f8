import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Checkbox, List, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Choices, ReadFile } from '../../csv/read-file.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';

type LeftOutRowsProps = {
  read: ReadFile;
  choices: Choices;
  onChange: (part: Pick<Choices, 'withHidden' | 'withTotals'>) => void;
};

const totalsShown = 5;

/** Names rows that are hidden in the file or seem to be totals, which are imported only if a person ticks them, and hidden columns. */
export function LeftOutRows({ read: { hiddenRows, hiddenColumns, totals }, choices, onChange }: LeftOutRowsProps) {
  return (
    <>
      {hiddenRows > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle />} title={t`Hidden in the file: ${quantity(hiddenRows, 'row')}`}>
          <Checkbox
            label={t`Import hidden rows, too`}
            checked={choices.withHidden === true}
            onChange={({ currentTarget: { checked } }) => onChange({ withHidden: checked })}
          />
        </Alert>
      )}
      {hiddenColumns.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle />} title={t`Columns that are hidden in the file`}>
          <Trans>
            <UserText>{hiddenColumns.join(', ')}</UserText>. Choose “Not imported” to leave them out.
          </Trans>
        </Alert>
      )}
      {totals.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle />} title={t`Totals are not imported`}>
          <Stack gap="xs">
            <List size="sm">
              {totals.slice(0, totalsShown).map(({ line, text }) => (
                <List.Item key={line}>
                  <Trans>
                    Line {numberText(line)}: <UserText>{text}</UserText>
                  </Trans>
                </List.Item>
              ))}
            </List>
            {totals.length > totalsShown && (
              <Text size="sm">
                <Trans>And {numberText(totals.length - totalsShown)} more.</Trans>
              </Text>
            )}
            <Checkbox
              label={t`Import these rows, too`}
              checked={choices.withTotals === true}
              onChange={({ currentTarget: { checked } }) => onChange({ withTotals: checked })}
            />
          </Stack>
        </Alert>
      )}
    </>
  );
}
