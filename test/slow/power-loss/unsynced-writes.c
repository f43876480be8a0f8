/*
 * Preloaded into programs, appends what they do to the files below $UNSYNCED_ROOT to the file $UNSYNCED_LOG, so that a test can
 * reconstruct what a disk holds when the power fails at any moment: disk.ts has the format and the rules.
 *
 * fsync and fdatasync take as long as with a disk, and write nothing: the log alone decides what is on the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, RENAME, UNLINK, MKDIR, LINK, SYNC_BEGIN, SYNC_END, DATASYNC_BEGIN, DATASYNC_END };

struct record {
  uint32_t op, path_bytes, other_bytes, data_bytes;
  uint64_t offset, sync;
};

static int log_fd = -1;
static size_t root_bytes;
static char root[PATH_MAX];
static atomic_uint syncs;

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("UNSYNCED_ROOT"), *file = getenv("UNSYNCED_LOG");
  if (!folder || !file || strlen(folder) >= sizeof root) return;
  strcpy(root, folder);
  root_bytes = strlen(root);
  log_fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_below(const char *path) {
  return log_fd >= 0 && strncmp(path, root, root_bytes) == 0 && path[root_bytes] == '/';
}

/* The absolute path of an argument, without resolving links: no program uses any below the folder. */
static int below(const char *path, char *full) {
  if (path[0] == '/') {
    if (strlen(path) >= PATH_MAX) return 0;
    strcpy(full, path);
  } else {
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here)) return 0;
    while (path[0] == '.' && path[1] == '/') path += 2;
    if (strlen(here) + strlen(path) + 2 > PATH_MAX) return 0;
    strcat(strcat(strcpy(full, here), "/"), path);
  }
  return is_below(full);
}

static int below_fd(int fd, char *full) {
  if (log_fd < 0 || fd == log_fd) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t bytes = readlink(link, full, PATH_MAX - 1);
  if (bytes <= 0) return 0;
  full[bytes] = 0;
  return is_below(full) && !strstr(full, " (deleted)");
}

/* One write to a file that is opened for appending, so that the records of all processes keep their order. */
static void note(struct record record, const char *path, const char *other, const struct iovec *data, int count) {
  if (log_fd < 0) return;
  int saved = errno;
  struct iovec parts[1027];
  if (count > 1024) abort();
  record.path_bytes = strlen(path) - root_bytes - 1;
  record.other_bytes = other ? strlen(other) - root_bytes - 1 : 0;
  parts[0] = (struct iovec){&record, sizeof record};
  parts[1] = (struct iovec){(void *)(path + root_bytes + 1), record.path_bytes};
  parts[2] = (struct iovec){(void *)(other ? other + root_bytes + 1 : ""), record.other_bytes};
  uint32_t left = record.data_bytes;
  int n = 3;
  for (int i = 0; i < count && left > 0; i++) {
    size_t bytes = data[i].iov_len < left ? data[i].iov_len : left;
    parts[n++] = (struct iovec){data[i].iov_base, bytes};
    left -= bytes;
  }
  size_t all = 0;
  for (int i = 0; i < n; i++) all += parts[i].iov_len;
  REAL(writev);
  if (real(log_fd, parts, n) != (ssize_t)all) abort();
  errno = saved;
}

static void note_write(int fd, ssize_t written, off64_t offset, const struct iovec *data, int count) {
  char path[PATH_MAX];
  if (written > 0 && below_fd(fd, path))
    note((struct record){.op = WRITE, .data_bytes = written, .offset = offset}, path, 0, data, count);
}

/* Where a write without an offset went, once it is done. */
static off64_t place(int fd, ssize_t written) {
  return written > 0 ? lseek64(fd, 0, SEEK_CUR) - written : 0;
}

static void note_open(int fd, int flags) {
  char path[PATH_MAX];
  if (fd < 0 || !(flags & (O_CREAT | O_TRUNC)) || !below_fd(fd, path)) return;
  if (flags & O_CREAT) note((struct record){.op = CREATE}, path, 0, 0, 0);
  if (flags & O_TRUNC) note((struct record){.op = TRUNCATE}, path, 0, 0, 0);
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    REAL(name); int fd = real(path, flags, mode); note_open(fd, flags); return fd; }
OPEN(open)
OPEN(open64)
#define OPENAT(name) \
  int name(int at, const char *path, int flags, ...) { \
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    REAL(name); int fd = real(at, path, flags, mode); note_open(fd, flags); return fd; }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *data, size_t bytes) {
  REAL(write);
  ssize_t written = real(fd, data, bytes);
  if (log_fd >= 0) note_write(fd, written, place(fd, written), &(struct iovec){(void *)data, bytes}, 1);
  return written;
}
ssize_t writev(int fd, const struct iovec *data, int count) {
  REAL(writev);
  ssize_t written = real(fd, data, count);
  if (log_fd >= 0) note_write(fd, written, place(fd, written), data, count);
  return written;
}
#define PWRITE(name) \
  ssize_t name(int fd, const void *data, size_t bytes, off64_t offset) { \
    REAL(name); ssize_t written = real(fd, data, bytes, offset); \
    note_write(fd, written, offset, &(struct iovec){(void *)data, bytes}, 1); return written; }
PWRITE(pwrite)
PWRITE(pwrite64)
#define PWRITEV(name) \
  ssize_t name(int fd, const struct iovec *data, int count, off64_t offset) { \
    REAL(name); ssize_t written = real(fd, data, count, offset); \
    note_write(fd, written, offset, data, count); return written; }
PWRITEV(pwritev)
PWRITEV(pwritev64)

static void note_size(int fd, off64_t size) {
  char path[PATH_MAX];
  if (below_fd(fd, path)) note((struct record){.op = TRUNCATE, .offset = size}, path, 0, 0, 0);
}
#define FTRUNCATE(name) \
  int name(int fd, off64_t size) { REAL(name); int result = real(fd, size); if (!result) note_size(fd, size); return result; }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)
#define TRUNCATE_PATH(name) \
  int name(const char *path, off64_t size) { \
    char full[PATH_MAX]; REAL(name); int result = real(path, size); \
    if (!result && below(path, full)) note((struct record){.op = TRUNCATE, .offset = size}, full, 0, 0, 0); \
    return result; }
TRUNCATE_PATH(truncate)
TRUNCATE_PATH(truncate64)
/* Only ever lengthens a file. */
#define FALLOCATE(name) \
  int name(int fd, off64_t offset, off64_t bytes) { \
    struct stat before; fstat(fd, &before); REAL(name); int result = real(fd, offset, bytes); \
    if (!result && offset + bytes > before.st_size) note_size(fd, offset + bytes); return result; }
FALLOCATE(posix_fallocate)
FALLOCATE(posix_fallocate64)

static int sync_file(int fd, int (*real)(int), uint32_t op) {
  char path[PATH_MAX];
  if (!below_fd(fd, path)) return real(fd);
  uint64_t id = (uint64_t)getpid() << 32 | atomic_fetch_add(&syncs, 1);
  note((struct record){.op = op, .sync = id}, path, 0, 0, 0);
  usleep(2000);
  note((struct record){.op = op + 1, .sync = id}, path, 0, 0, 0);
  return 0;
}
int fsync(int fd) { REAL(fsync); return sync_file(fd, real, SYNC_BEGIN); }
int fdatasync(int fd) { REAL(fdatasync); return sync_file(fd, real, DATASYNC_BEGIN); }

#define TWO_PATHS(name, kind) \
  int name(const char *from, const char *to) { \
    char full[PATH_MAX], other[PATH_MAX]; REAL(name); int result = real(from, to); \
    if (!result && below(from, full) && below(to, other)) note((struct record){.op = kind}, full, other, 0, 0); return result; }
TWO_PATHS(rename, RENAME)
TWO_PATHS(link, LINK)
#define ONE_PATH(name) \
  int name(const char *path) { \
    char full[PATH_MAX]; REAL(name); int result = real(path); \
    if (!result && below(path, full)) note((struct record){.op = UNLINK}, full, 0, 0, 0); return result; }
ONE_PATH(unlink)
ONE_PATH(rmdir)
int mkdir(const char *path, mode_t mode) {
  char full[PATH_MAX];
  REAL(mkdir);
  int result = real(path, mode);
  if (!result && below(path, full)) note((struct record){.op = MKDIR}, full, 0, 0, 0);
  return result;
}
