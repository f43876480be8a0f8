-- Files on their way into assets or locations: sent in chunks, checked, then applied whole or not at all.

-- CreateTable
CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "org_id" INTEGER NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "file_name" TEXT COLLATE "C" NOT NULL,
    "columns" TEXT[] NOT NULL,
    "row_count" INTEGER NOT NULL,
    "received_rows" INTEGER NOT NULL DEFAULT 0,
    "received_bytes" INTEGER NOT NULL DEFAULT 0,
    "next_chunk" INTEGER NOT NULL DEFAULT 0,
    "last_line" INTEGER NOT NULL DEFAULT 0,
    "done_rows" INTEGER NOT NULL DEFAULT 0,
    "to_create" INTEGER,
    "to_change" INTEGER,
    "unchanged" INTEGER,
    "problem_count" INTEGER,
    "problem_lines" INTEGER,
    "failure" TEXT COLLATE "C",
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_by" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_rows" (
    "org_id" INTEGER NOT NULL,
    "import_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "cells" TEXT[] NOT NULL,
    "target_id" INTEGER,
    "target_updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_rows_pkey" PRIMARY KEY ("import_id","line")
);

-- CreateTable
CREATE TABLE "import_problems" (
    "import_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "org_id" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "column_name" TEXT COLLATE "C" NOT NULL,
    "message" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "import_problems_pkey" PRIMARY KEY ("import_id","place")
);

-- CreateIndex
CREATE INDEX "imports_org_id_created_at_idx" ON "imports"("org_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "imports_created_at_idx" ON "imports"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "imports_org_id_id_key" ON "imports"("org_id", "id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_org_id_import_id_fkey" FOREIGN KEY ("org_id", "import_id") REFERENCES "imports"("org_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_problems" ADD CONSTRAINT "import_problems_org_id_import_id_fkey" FOREIGN KEY ("org_id", "import_id") REFERENCES "imports"("org_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- From here on: what Prisma's schema language cannot say.

ALTER TABLE imports
  ADD CONSTRAINT imports_kind_check CHECK (kind IN ('assets', 'locations')),
  ADD CONSTRAINT imports_status_check
    CHECK (status IN ('uploading', 'received', 'checking', 'checked', 'applying', 'applied', 'cancelled'));
