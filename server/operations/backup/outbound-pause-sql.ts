/** Pauses everything outbound. */
export const pauseOutboundSql = 'INSERT INTO outbound_pause DEFAULT VALUES ON CONFLICT DO NOTHING';
