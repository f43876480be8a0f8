-- Locks: ACCESS EXCLUSIVE on the indexes of search, for milliseconds: nothing is read or written.
--
-- New entries wait in a list, which each search reads whole, and are moved to the index together when the list has this size
-- (in KiB). With four times as much, a search takes 10 ms longer and some writes a third of a second.
ALTER INDEX assets_live_grams SET (gin_pending_list_limit = 1024);
ALTER INDEX assets_deleted_grams SET (gin_pending_list_limit = 1024);
ALTER INDEX locations_live_grams SET (gin_pending_list_limit = 1024);
ALTER INDEX locations_deleted_grams SET (gin_pending_list_limit = 1024);
ALTER INDEX tags_live_grams SET (gin_pending_list_limit = 1024);
