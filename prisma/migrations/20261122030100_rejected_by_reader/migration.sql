-- Rejections are added up for one reader after the other.
DROP INDEX reader_minutes_rejected;
CREATE INDEX reader_minutes_rejected ON reader_minutes (org_id, reader_id, minute) INCLUDE (rejected) WHERE rejected > 0;
