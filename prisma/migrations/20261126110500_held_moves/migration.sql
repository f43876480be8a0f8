-- Locks: ACCESS EXCLUSIVE on outbox_events for milliseconds: the table is not rewritten.

-- Moves that reads decided wait until no correction can replace them.
ALTER TABLE outbox_events ADD COLUMN ready_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
