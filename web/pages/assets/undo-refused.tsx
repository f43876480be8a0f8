import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { AnchorLink } from '../../ui/links.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import type { UndoRefusal } from './use-undo.js';

/** The assets that an undo left as they are, and why. */
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
        {assets.map(({ id, name, external_key: key, reason }) => (
          <List.Item key={id}>
            {reason === 'deleted' ? (
              <UserText>{`${name} (${key})`}</UserText>
            ) : (
              <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }}>
                <UserText>{`${name} (${key})`}</UserText>
              </AnchorLink>
            )}
            {reason === 'deleted' ? t`: deleted since then` : t`: changed since then`}
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
