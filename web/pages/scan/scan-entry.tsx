import { t } from '@lingui/core/macro';
import { Button, Group, TextInput } from '@mantine/core';
import { IconCamera, IconCameraOff } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { cleanScan } from '../../scanning/scan-value.js';
import { lazyPart } from '../../ui/lazy-part.js';

const CameraScanner = lazyPart(() => import('../../scanning/camera-scanner.js'), 'CameraScanner');

/** Input without a keyboard scanner: with the camera, or by typing the text below a code. */
export function ScanEntry({ onScan }: { onScan: (value: string) => void }) {
  const [hasCamera, setCamera] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);

  function submit(): void {
    const value = cleanScan(typed);
    if (value === undefined) {
      setError(t`Enter 1 to 255 characters`);
      return;
    }
    setTyped('');
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
          style={{ flex: '1 1 14rem' }}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t`Or enter a tag ID`}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="done"
              value={typed}
              error={error}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
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
