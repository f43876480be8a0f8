-- Locks: none on tables that exist.

-- The retention of events that counts, in one row, and a shorter one that will.
CREATE TABLE event_retention (
  id INTEGER NOT NULL,
  days INTEGER NOT NULL,
  next_days INTEGER,
  effective_at TIMESTAMPTZ(3),
  CONSTRAINT event_retention_pkey PRIMARY KEY (id),
  CONSTRAINT event_retention_one_row CHECK (id = 1)
);
