import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { labelsPerPage, type LabelFormat, pagesOf } from '../../labels/formats.js';
import type { LabelThing } from '../../labels/things.js';
import { Pager } from '../../ui/pager.js';
import classes from './labels.module.css';
import { Sheet } from './sheet.js';

const pixelsPerMm = 96 / 25.4;
const widthMax = 720;

type PreviewProps = { things: readonly LabelThing[]; format: LabelFormat; firstCell: number };

/** Shows one page at a time, as large as possible. */
export function Preview({ things, format, firstCell }: PreviewProps) {
  const { ref, width } = useElementSize();
  const [asked, setAsked] = useState(0);
  const pages = pagesOf(things, format, firstCell);
  const page = Math.min(asked, pages.length - 1);
  const full = format.page.width * pixelsPerMm;
  const factor = width === 0 ? 1 : Math.min(width, widthMax, full * 2) / full;
  const size = { width: full * factor, height: format.page.height * pixelsPerMm * factor };
  return (
    <Stack gap="sm" ref={ref}>
      <section className={classes['preview']} style={{ ...size, maxWidth: '100%' }} aria-label={t`Preview`}>
        <div className={classes['scaled']} style={{ transform: `scale(${factor})` }}>
          <Sheet format={format} cells={pages[page] ?? []} isOutlined />
        </div>
      </section>
      <Pager
        limit={1}
        offset={page}
        total={pages.length}
        unit={labelsPerPage(format) === 1 ? 'label' : 'sheet'}
        onPage={setAsked}
      />
    </Stack>
  );
}
