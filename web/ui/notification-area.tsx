import { Notifications } from '@mantine/notifications';
import classes from './notification-area.module.css';

const position = 'bottom-right';
/** The height of the notices, for pages that leave as much space at their end on a phone. */
const heightVariable = '--whereabouts-notices';

/** Measures the notices while they are in the document. There is an area for each position. */
function measure(area: HTMLDivElement | null): (() => void) | undefined {
  if (area?.dataset['position'] !== position) return undefined;
  const { style } = document.documentElement;
  const watcher = new ResizeObserver(() => style.setProperty(heightVariable, `${area.offsetHeight}px`));
  watcher.observe(area);
  return () => {
    watcher.disconnect();
    style.removeProperty(heightVariable);
  };
}

/** The corner of the page where notifications appear; on a phone, above the bar at the bottom. */
export function NotificationArea() {
  return <Notifications ref={measure} position={position} limit={3} className={classes['area'] ?? ''} />;
}
