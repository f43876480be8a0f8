-- A failed step of an import names its reason; the app has the words.
UPDATE imports
   SET failure = CASE
         WHEN failure LIKE 'Something changed after the check%' THEN 'import_outdated'
         WHEN failure LIKE 'The service was interrupted.%' THEN 'import_interrupted'
         ELSE 'import_failed'
       END
 WHERE failure IS NOT NULL;
