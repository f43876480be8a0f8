import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { AnchorLink } from '../../ui/links.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import type { UndoRefusal } from './use-undo.js';

/** The assets that an undo did not change, and why. */
export function UndoRefused({ refusal, onDismiss }: { refusal: UndoRefusal; onDismiss: () => void }) {
  const { assets, count } = refusal;
  return (
    <Alert
      role="alert"
      color="orange"
      title={t`${quantity(count, 'asset')} not restored`}
      withCloseButton
      closeButtonLabel={t`Close`}
      onClose={onDismiss}
    >
      <List size="sm">
        {assets.map(({ id, name, why, hasPage }) => (
          <List.Item key={id}>
            {hasPage ? (
              <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }}>
                <UserText>{name}</UserText>
              </AnchorLink>
            ) : (
              <UserText>{name}</UserText>
            )}
            {why}
          </List.Item>
        ))}
      </List>
      {count > assets.length && (
        <Text size="sm">
          <Trans>And {numberText(count - assets.length)} more.</Trans>
        </Text>
      )}
    </Alert>
  );
}
