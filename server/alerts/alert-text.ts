type Data = Record<string, unknown>;

const record = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});

function nameOf(value: unknown, fallback: string): string {
  const { name } = record(value);
  return typeof name === 'string' ? name : fallback;
}

function locationOf(value: unknown): string {
  const { path } = record(value);
  return Array.isArray(path) ? path.join(' › ') : 'no location';
}

function instantOf(value: unknown): string {
  return typeof value === 'string' ? `${value.slice(0, 16).replace('T', ' ')} UTC` : 'never';
}

/** Describes an event in one sentence for people, such as "Forklift 7 moved from Hall 1 to Yard". */
export function alertText(eventType: string, data: Data): string {
  const asset = nameOf(data['asset'] ?? data['after'] ?? data['before'], 'An asset');
  const location = nameOf(data['after'] ?? data['before'], 'A location');
  const reader = nameOf(data['reader'], 'A reader');
  switch (eventType) {
    case 'asset.location_changed':
      return `${asset} moved from ${locationOf(data['from'])} to ${locationOf(data['to'])}`;
    case 'asset.overdue':
      return `${asset} has not been seen since ${instantOf(data['last_seen_at'])}, last at ${locationOf(data['location'])}`;
    case 'asset.dwell_exceeded':
      return `${asset} has been at ${locationOf(data['location'])} since ${instantOf(data['since'])}`;
    case 'reader.offline':
      return `Reader ${reader} has sent nothing since ${instantOf(data['last_message_at'])}`;
    case 'reader.online':
      return `Reader ${reader} is back`;
    case 'tag.unknown':
      return `Unknown tag ${String(data['value'])} was read by ${reader === 'A reader' ? 'a handheld' : reader}`;
    case 'asset.created':
    case 'asset.updated':
    case 'asset.deleted':
      return `${asset} was ${eventType.slice('asset.'.length)}`;
    default:
      return `${location} was ${eventType.slice(eventType.indexOf('.') + 1)}`;
  }
}
