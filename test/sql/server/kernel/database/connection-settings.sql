-- name: prepareConnection
SET plan_cache_mode = force_generic_plan;
SET statement_timeout = 10000;
SET lock_timeout = 250;
SET idle_in_transaction_session_timeout = 20000;
SET max_parallel_workers_per_gather = 0;

-- name: prepareConnection
SET plan_cache_mode = force_generic_plan;
SET statement_timeout = 1800000;
SET lock_timeout = 10000;
SET idle_in_transaction_session_timeout = 600000;
SET max_parallel_workers_per_gather = 2;

-- name: prepareConnection
-- further: 10d8cd6bb5 8d51868789 983d82e85c b9f3551821 cd3f1e821b f36f881bb2
