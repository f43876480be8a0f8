/**
 * Returns the `webhook-id` of an event: the same for all endpoints and attempts, so that receivers recognize
 * repetitions.
 */
export function messageId(eventKey: string): string {
  return `evt_${eventKey.replaceAll('-', '')}`;
}
