import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Outputs } from '../api/trpc.js';
import { When } from './when.js';

export type Placement = NonNullable<Outputs['assets']['table']['data'][number]['placement']>;

/** Returns who or what placed an asset without a scan: a person, a file, its container or its contents. */
export function placementText({ by, file_name: file, container, with_contents: isWithContents }: Placement): string {
  if (container) return t`With ${container.name}`;
  if (isWithContents) return t`With most of its contents`;
  if (file === null) return by === null ? t`Placed by hand` : t`Placed by ${by} by hand`;
  return by === null ? t`Placed by an import of ${file}` : t`Placed by an import of ${file} (${by})`;
}

type SeenWhenProps = {
  /** When it was seen or placed last. */
  at: string | null;
  /** Null if it was seen. */
  placement: Placement | null;
  never?: string;
};

/** When an asset was last seen, or that it was only placed; who placed it is shown on hover. */
export function SeenWhen({ at, placement, never }: SeenWhenProps) {
  if (placement === null) return <When at={at} {...(never !== undefined && { never })} />;
  return (
    <span title={placementText(placement)}>
      <Trans>
        Placed <When at={at} />
      </Trans>
    </span>
  );
}
