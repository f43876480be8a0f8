import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, NativeSelect, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconFileTypePdf, IconInfoCircle, IconPrinter } from '@tabler/icons-react';
import { isLocalAddress } from '../../browser/local-address.js';
import type { CodeKind } from '../../labels/codes.js';
import { type LabelFormat, labelFormats, labelsPerPage } from '../../labels/formats.js';
import type { CodeContent, LabelNotes } from '../../labels/things.js';
import { quantity } from '../../ui/quantity.js';

export type LabelOptions = { format: LabelFormat; kind: CodeKind; content: CodeContent };

const contents: readonly CodeContent[] = ['address', 'tag', 'key'];

type Kept = { format: string; kind: CodeKind; content: CodeContent };

/** Returns the last choice in this browser. */
export function useLabelOptions(): [LabelOptions, (change: Partial<Kept>) => void] {
  const [kept, setKept] = useLocalStorage<Kept>({
    key: 'whereabouts.labels',
    defaultValue: { format: 'a4-24', kind: 'qr', content: 'address' },
    getInitialValueInEffect: false,
  });
  const options: LabelOptions = {
    format: labelFormats.find(({ id }) => id === kept.format) ?? labelFormats[0],
    kind: kept.kind === 'code128' ? 'code128' : 'qr',
    content: contents.find((content) => content === kept.content) ?? 'address',
  };
  return [options, (change) => setKept({ ...kept, ...change })];
}

type OptionsProps = {
  options: LabelOptions;
  onChange: (change: Partial<Kept>) => void;
  firstCell: number;
  onFirstCell: (cell: number) => void;
};

/** Paper, code and where to begin. */
export function Options({ options: { format, kind, content }, onChange, firstCell, onFirstCell }: OptionsProps) {
  const cells = labelsPerPage(format);
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t`Paper`}
        data={labelFormats.map(({ id, name }) => ({ value: id, label: name }))}
        value={format.id}
        onChange={(event) => {
          onChange({ format: event.currentTarget.value });
          onFirstCell(0);
        }}
      />
      <div>
        <Text size="sm" fw={500} id="label-code">{t`Code`}</Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="label-code"
          data={[
            { value: 'qr', label: t`QR code` },
            { value: 'code128', label: t`Code 128` },
          ]}
          value={kind}
          onChange={(value) => onChange({ kind: value })}
        />
      </div>
      <div>
        <Text size="sm" fw={500} id="label-content">{t`Encodes`}</Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="label-content"
          data={[
            ...(kind === 'qr' ? [{ value: 'address' as const, label: t`Link` }] : []),
            { value: 'tag', label: t`Tag ID` },
            { value: 'key', label: t`Key` },
          ]}
          value={kind === 'code128' && content === 'address' ? 'key' : content}
          onChange={(value) => onChange({ content: value })}
        />
      </div>
      {cells > 1 && (
        <NumberInput
          label={t`Start at label no.`}
          description={t`1 to ${cells}, row by row, for a sheet that is partly used`}
          min={1}
          max={cells}
          clampBehavior="strict"
          allowDecimal={false}
          value={firstCell + 1}
          onChange={(value) => onFirstCell(Math.min(cells, Math.max(1, Number(value) || 1)) - 1)}
        />
      )}
    </Stack>
  );
}

/** Warns about links that lead nowhere on other devices. */
export function LocalLinks({ options: { kind, content } }: { options: LabelOptions }) {
  if (kind !== 'qr' || content !== 'address' || !isLocalAddress()) return null;
  return (
    <Alert color="orange" icon={<IconInfoCircle />} title={t`These links work only on this computer`}>
      <Text size="sm">
        {t`They begin with ${location.origin}. Open the app at the address that phones use, and print there.`}
      </Text>
    </Alert>
  );
}

/** Notes about labels that differ from the options. */
export function Notes({ notes }: { notes: LabelNotes }) {
  const lines = [
    notes.withoutTag > 0 && t`${quantity(notes.withoutTag, 'label')} without a tag: the code has the key.`,
    notes.asQr > 0 && t`${quantity(notes.asQr, 'value')} too long for Code 128 on this paper: printed as a QR code.`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconInfoCircle />} title={t`Some labels adjusted`}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Alert>
  );
}

type OutputButtonsProps = { isReady: boolean; isBusy: boolean; onPdf: () => void };

export function OutputButtons({ isReady, isBusy, onPdf }: OutputButtonsProps) {
  return (
    <>
      <Button disabled={!isReady} leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
      <Button
        variant="default"
        disabled={!isReady}
        loading={isBusy}
        leftSection={<IconFileTypePdf size={18} aria-hidden />}
        onClick={onPdf}
      >
        <Trans>Download PDF</Trans>
      </Button>
    </>
  );
}
