import type { AnchorProps } from '@mantine/core';
import { AnchorLink } from './links.js';
import { UserText } from './user-text.js';

type ObjectLinkProps = Pick<AnchorProps, 'c' | 'fw' | 'fz' | 'inherit' | 'lh' | 'miw' | 'py' | 'size'> & {
  id: number;
  name: string;
  /** Cuts the name off after one line. */
  lines?: 1;
};

/** The name of an asset, with a link to its page. */
export function AssetLink({ id, name, lines, ...look }: ObjectLinkProps) {
  return (
    <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }} {...look}>
      <UserText {...(lines && { lines })}>{name}</UserText>
    </AnchorLink>
  );
}

/** The name of a location, with a link to its page. */
export function LocationLink({ id, name, lines, ...look }: ObjectLinkProps) {
  return (
    <AnchorLink to="/locations/$locationId" params={{ locationId: String(id) }} {...look}>
      <UserText {...(lines && { lines })}>{name}</UserText>
    </AnchorLink>
  );
}

/** The name of a reader, with a link to its page. */
export function ReaderLink({ id, name, lines, ...look }: ObjectLinkProps) {
  return (
    <AnchorLink to="/readers/$readerId" params={{ readerId: String(id) }} {...look}>
      <UserText {...(lines && { lines })}>{name}</UserText>
    </AnchorLink>
  );
}
