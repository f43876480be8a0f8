-- Locks: ACCESS EXCLUSIVE on imports and import_problems, for milliseconds: the defaults are constant.
ALTER TABLE imports
  ADD COLUMN ignored_columns TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN warning_count INTEGER;

ALTER TABLE import_problems
  ADD COLUMN is_warning BOOLEAN NOT NULL DEFAULT false;
