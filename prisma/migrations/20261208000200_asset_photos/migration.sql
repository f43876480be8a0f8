-- Locks: SHARE ROW EXCLUSIVE on assets and images for the foreign keys, for milliseconds: no row is read or written.

-- Photos of assets. The row goes with its image.
CREATE TABLE asset_photos (
  org_id INTEGER NOT NULL,
  asset_id INTEGER NOT NULL,
  image_id INTEGER NOT NULL,
  added_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (org_id, asset_id, image_id),
  FOREIGN KEY (org_id, asset_id) REFERENCES assets (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
  FOREIGN KEY (org_id, image_id) REFERENCES images (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT asset_photos_image UNIQUE (org_id, image_id)
);
