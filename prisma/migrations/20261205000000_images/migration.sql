-- Locks: SHARE ROW EXCLUSIVE on organizations for the foreign key, for milliseconds: no row is read or written.

-- Images that people uploaded, encoded anew by the service. What shows one refers to it from a table of its own, so lists
-- never read the bytes. An image without an owner is removed an hour after the upload.
CREATE TABLE images (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  content BYTEA NOT NULL,
  thumbnail BYTEA NOT NULL,
  etag TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  is_attached BOOLEAN NOT NULL DEFAULT false,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  UNIQUE (org_id, id)
);

-- WebP is compressed already.
ALTER TABLE images ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE images ALTER COLUMN thumbnail SET STORAGE EXTERNAL;

CREATE INDEX images_without_owner ON images (created_at) WHERE NOT is_attached;
