-- What tells a reader that is away from one that is there and silent, and from one that is not let in.
ALTER TABLE readers
  ADD COLUMN last_connected_at timestamptz(3),
  ADD COLUMN last_refused_at timestamptz(3),
  ADD COLUMN last_refusal_reason text COLLATE "C";
