/**
 * How the label of a shape is written: name and count on one line, the count below the name, or only one of them in a small
 * shape.
 */
type LabelLayout = 'line' | 'stacked' | 'name' | 'count';

/** The most pixels of a name. */
const nameWidthMax = 140;
/** What a label has besides the name: its padding and a margin, and on the same line the count. */
const paddingPx = 20;
const countPx = 36;
/** The fewest pixels of a name, about five letters, and of the name above the count. */
const nameWidthMin = 28;
const stackedHeightMin = 48;

/** Returns the layout of the label of a shape on the screen, where the name comes first, and the room for the name. */
export function layoutOfLabel({ widthPx, heightPx }: { widthPx: number; heightPx: number }): {
  layout: LabelLayout;
  nameWidthPx: number;
} {
  const beside = widthPx - paddingPx - countPx;
  if (beside >= nameWidthMax) return { layout: 'line', nameWidthPx: nameWidthMax };
  const alone = Math.min(nameWidthMax, Math.floor(widthPx - paddingPx));
  if (alone < nameWidthMin) return { layout: 'count', nameWidthPx: 0 };
  if (heightPx >= stackedHeightMin) return { layout: 'stacked', nameWidthPx: alone };
  return beside >= nameWidthMin
    ? { layout: 'line', nameWidthPx: Math.floor(beside) }
    : { layout: 'name', nameWidthPx: alone };
}
