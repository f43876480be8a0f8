-- Locks: none on existing tables.
CREATE TABLE outbound_pause (
  id BOOLEAN NOT NULL DEFAULT TRUE,
  paused_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT outbound_pause_pkey PRIMARY KEY (id),
  CONSTRAINT outbound_pause_single CHECK (id)
);
