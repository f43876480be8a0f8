import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useFiles } from '../../api/use-image.js';
import { useServer } from '../../api/use-server.js';

/** Adds the sample data, or removes it. Removed rows stay on the page Deleted for 30 days. */
export function SampleDataButton({ isPresent }: { isPresent: boolean }) {
  const { api, answers } = useServer();
  const files = useFiles();
  const change = useMutation({
    mutationFn: async () => {
      if (!isPresent) {
        const { addSampleData } = await import('./add-sample-data.js');
        return addSampleData(api, files);
      }
      const { kept_locations: kept } = await api.sampleData.remove.mutate();
      const message =
        kept === 0 ? t`Sample data removed` : t`Sample data removed, except locations with your own assets`;
      notifications.show({ message });
    },
    // A call that failed halfway may have changed something.
    onSettled: () => answers.invalidateQueries(),
  });
  return (
    <Stack gap="xs">
      <Button variant={isPresent ? 'default' : 'filled'} loading={change.isPending} onClick={() => change.mutate()}>
        {isPresent ? t`Remove sample data` : t`Add sample data`}
      </Button>
      <FormProblem problem={change.error && problemOf(change.error)} />
    </Stack>
  );
}
