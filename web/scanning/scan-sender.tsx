import { t } from '@lingui/core/macro';
import { VisuallyHidden } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { ButtonLink } from '../ui/links.js';
import { numberText, quantity } from '../ui/quantity.js';
import { useLocationTags, useScanQueue } from './use-scan-queue.js';

/**
 * On any page, sends batches that wait since an earlier visit to the scan page, shows that batches wait, and keeps the
 * tags of locations.
 */
export function ScanSender() {
  const [, { open, waiting, refused }] = useScanQueue();
  useLocationTags();
  const unsent = [...(open ? [open] : []), ...waiting, ...refused];
  const count = unsent.reduce((sum, { reads }) => sum + reads.length, 0);
  if (count === 0) return null;
  return (
    <ButtonLink
      to="/scan"
      size="compact-md"
      variant="light"
      color={refused.length > 0 ? 'red' : 'orange'}
      leftSection={<IconCloudUpload size={18} aria-hidden />}
      title={t`${quantity(count, 'scan')} not sent yet`}
    >
      {numberText(count)}
      <VisuallyHidden> {t`scans not sent yet`}</VisuallyHidden>
    </ButtonLink>
  );
}
