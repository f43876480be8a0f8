import { t } from '@lingui/core/macro';
import { VisuallyHidden } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { ButtonLink } from '../ui/links.js';
import { numberText, quantity } from '../ui/quantity.js';
import { useScanQueue } from './use-scan-queue.js';

/** On any page, sends batches that wait since an earlier visit to the scan page, and shows that batches wait. */
export function ScanSender() {
  const [, { open, waiting, refused }] = useScanQueue();
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
