import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { AnchorLink } from '../ui/links.js';
import { UserText } from '../ui/user-text.js';
import type { NamedAsset } from './words.js';

type InContainersProps = { containers: readonly NamedAsset[] };

/** Says in which containers an asset is, from the inside out, before its location; renders nothing for none. */
export function InContainers({ containers }: InContainersProps) {
  if (containers.length === 0) return null;
  return (
    <>
      <Trans>
        in <Names containers={containers} />
      </Trans>
      {' › '}
    </>
  );
}

/** Says the same in a line of its own, below the name of the asset. */
export function InContainersLine({ containers }: InContainersProps) {
  if (containers.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      <Trans>
        in <Names containers={containers} />
      </Trans>
    </Text>
  );
}

function Names({ containers }: InContainersProps) {
  return containers.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ' › '}
      <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }} c="inherit" fz="inherit" lh="inherit">
        <UserText>{name}</UserText>
      </AnchorLink>
    </Fragment>
  ));
}
