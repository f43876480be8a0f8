-- name: end
UNLISTEN "jobs:insert"; UNLISTEN "worker:migrate";;
