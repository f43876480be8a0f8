import { t } from '@lingui/core/macro';
import { Button, Group, TextInput } from '@mantine/core';
import { IconCamera, IconCameraOff } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { cleanScan } from '../../scanning/scan-value.js';
import { lazyPart } from '../../ui/lazy-part.js';
import type { Outcome } from './use-scanning.js';

const CameraScanner = lazyPart(() => import('../../scanning/camera-scanner.js'), 'CameraScanner');

/** The results of a scan that was taken: it named a location or an asset. */
const takenKinds: ReadonlySet<Outcome['kind']> = new Set(['location', 'placed']);

export type ScanEntryProps = {
  onScan: (value: string) => void;
  /** The result of the last scan. */
  outcome?: Outcome | undefined;
  /** Whether a location is chosen, so that a scan can be recorded. */
  hasLocation?: boolean;
};

/**
 * Input without a keyboard scanner: with the camera, or by typing the text below a code. Before a location is chosen, a
 * typed text stays until the page has taken it.
 */
export function ScanEntry({ onScan, outcome, hasLocation = true }: ScanEntryProps) {
  const [hasCamera, setCamera] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isKept, setKept] = useState(false);
  const [shownNo, setShownNo] = useState(outcome?.no);
  if (outcome?.no !== shownNo) {
    setShownNo(outcome?.no);
    if (isKept && outcome && takenKinds.has(outcome.kind)) {
      setKept(false);
      setTyped('');
    }
  }

  function submit(): void {
    const value = cleanScan(typed);
    if (value === undefined) {
      setError(t`Enter 1 to 255 characters`);
      return;
    }
    if (hasLocation) setTyped('');
    else setKept(true);
    onScan(value);
  }

  return (
    <>
      {hasCamera && (
        <Suspense fallback={null}>
          <CameraScanner onScan={onScan} />
        </Suspense>
      )}
      <Group align="flex-end" gap="sm">
        <Button
          size="lg"
          variant="default"
          leftSection={hasCamera ? <IconCameraOff size={22} aria-hidden /> : <IconCamera size={22} aria-hidden />}
          onClick={() => setCamera(!hasCamera)}
        >
          {hasCamera ? t`Close camera` : t`Use camera`}
        </Button>
        <form
          data-scan-target
          style={{ flex: '1 1 min(14rem, 100%)' }}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              style={{ flex: 1, minWidth: 0 }}
              label={t`Or enter a tag ID`}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="done"
              value={typed}
              error={error}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setKept(false);
                setError(null);
              }}
            />
            <Button type="submit" variant="default">{t`Add`}</Button>
          </Group>
        </form>
      </Group>
    </>
  );
}
