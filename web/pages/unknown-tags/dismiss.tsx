import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useServer } from '../../api/use-server.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { quantity } from '../../ui/quantity.js';
import { valueOf } from './unknown-value.js';

/** The most values in one request. */
const portionMax = 500;

/** Dismisses the chosen values, on all pages. */
export function DismissChosen({ chosen, onDone }: { chosen: ReadonlySet<string>; onDone: () => void }) {
  const { trpc, refresh } = useServer();
  const dismiss = useMutation(trpc.scans.dismissUnknown.mutationOptions());
  const what = quantity(chosen.size, 'tag');

  async function act(): Promise<void> {
    const values = [...chosen].map(valueOf);
    for (let begin = 0; begin < values.length; begin += portionMax) {
      await dismiss.mutateAsync({ values: values.slice(begin, begin + portionMax) });
    }
    await refresh(trpc.assets, trpc.scans);
    onDone();
  }

  return (
    <ConfirmButton
      question={t`Dismiss ${what}?`}
      consequence={t`They are removed from this list. A tag that is read again reappears.`}
      confirm={t`Dismiss ${what}`}
      onConfirm={act}
    >
      <Trans>Dismiss {what}</Trans>
    </ConfirmButton>
  );
}
