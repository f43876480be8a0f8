import { t } from '@lingui/core/macro';
import { Breadcrumbs } from '@mantine/core';
import { LocationLink } from '../../ui/object-links.js';

type PathTrailProps = { path: readonly { id: number; name: string }[] };

/** The path to a location from the root of the tree, without the location itself. */
export function PathTrail({ path }: PathTrailProps) {
  const above = path.slice(0, -1);
  if (above.length === 0) return <>{t`Top-level location`}</>;
  return (
    <nav aria-label={t`Path`}>
      <Breadcrumbs separator="›" styles={{ root: { flexWrap: 'wrap' } }}>
        {above.map(({ id, name }) => (
          <LocationLink key={id} id={id} name={name} size="sm" />
        ))}
      </Breadcrumbs>
    </nav>
  );
}
