import { Notifications } from '@mantine/notifications';

/** The corner of the page where notifications appear. */
export function NotificationArea() {
  return <Notifications position="bottom-right" limit={3} />;
}
