// Preloaded into a process: journals every change of the files below POWER_ROOT, in order, so that a power cut can be
// simulated from the journal (disk.ts reads it). Build: cc -shared -fPIC -O2 -o journal.so journal.c -lpthread
// A sync costs POWER_SYNC_US instead of the disk's time: what is not synced is dropped by the reader, not by a disk.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { OPENED = 1, WRITTEN, TRUNCATED, SYNCED, RENAMED, REMOVED, DIRECTORY_MADE, DIRECTORY_SYNCED, LINKED };

/*
 *   byte  0      8        16      24       32       40          44
 *         ┌──────┬────────┬───────┬────────┬────────┬───────────┬──────┬───────┐
 *         │ kind │ number │ inode │ offset │ length │ path size │ path │ bytes │   little-endian
 *         └──────┴────────┴───────┴────────┴────────┴───────────┴──────┴───────┘
 */
struct __attribute__((packed)) record {
  uint64_t kind, number, inode, offset, length;
  uint32_t path_size;
};

#define MAX_FDS 65536
static unsigned char tracked[MAX_FDS]; // 1: a file, 2: a directory
static ino_t inodes[MAX_FDS];
static char directories[256][PATH_MAX]; // of open directories, by fd modulo 256
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static uint64_t number;
static int journal = -1;
static char root[PATH_MAX];
static size_t root_size;
static long sync_us;


__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("POWER_ROOT"), *into = getenv("POWER_JOURNAL"), *us = getenv("POWER_SYNC_US");
  if (!where || !into) return;
  root_size = strlen(strcpy(root, where));
  sync_us = us ? atol(us) : 0;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%d.journal", into, (int)getpid());
  journal = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // A high number: programs count on small ones.
  int high = fcntl(journal, F_DUPFD_CLOEXEC, 60000);
  if (high >= 0) { syscall(SYS_close, journal); journal = high; }
}

// The absolute path, if it lies below the root.
static const char *below(int dirfd, const char *path, char *into) {
  if (journal < 0 || !path) return NULL;
  if (path[0] != '/') {
    char link[64];
    if (dirfd == AT_FDCWD) { if (!getcwd(into, PATH_MAX)) return NULL; }
    else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd);
      ssize_t size = readlink(link, into, PATH_MAX - 1);
      if (size < 0) return NULL;
      into[size] = 0;
    }
    if (strlen(into) + strlen(path) + 2 > PATH_MAX) return NULL;
    strcat(strcat(into, "/"), path);
    path = into;
  }
  if (strncmp(path, root, root_size) || (path[root_size] != '/' && path[root_size] != 0)) return NULL;
  size_t size = strlen(path);
  // The index of the log is shared memory; SQLite builds it anew.
  if (size > 4 && !strcmp(path + size - 4, "-shm")) return NULL;
  return path;
}

// Nanoseconds since the machine started, never twice the same: the journals of several processes have one order.
static uint64_t next_number(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t ns = (uint64_t)now.tv_sec * 1000000000u + now.tv_nsec;
  number = ns > number ? ns : number + 1;
  return number;
}

// The caller holds the lock.
static void note(uint64_t kind, uint64_t inode, uint64_t offset, const char *path, const struct iovec *bytes, int count,
                 uint64_t length) {
  struct record head = {kind, next_number(), inode, offset, length, path ? strlen(path) : 0};
  struct iovec out[IOV_MAX > 66 ? 66 : IOV_MAX];
  out[0] = (struct iovec){&head, sizeof head};
  out[1] = (struct iovec){(void *)path, head.path_size};
  int parts = 2;
  uint64_t left = length;
  for (int at = 0; bytes && at < count && left > 0 && parts < 66; at++) {
    size_t size = bytes[at].iov_len < left ? bytes[at].iov_len : left;
    out[parts++] = (struct iovec){bytes[at].iov_base, size};
    left -= size;
  }
  if (bytes && left > 0) abort();
  syscall(SYS_writev, journal, out, parts);
}

static void note_path(uint64_t kind, const char *path, const char *second) {
  struct iovec bytes = {(void *)second, second ? strlen(second) : 0};
  note(kind, 0, 0, path, second ? &bytes : NULL, 1, bytes.iov_len);
}

// The C library closes some descriptors without calling `close`: the number may mean something else by now.
static int is_tracked(int fd) {
  struct stat now;
  if (fd < 0 || fd >= MAX_FDS || !tracked[fd]) return 0;
  if (fstat(fd, &now) == 0 && now.st_ino == inodes[fd] && (S_ISREG(now.st_mode) || S_ISDIR(now.st_mode)))
    return tracked[fd];
  tracked[fd] = 0;
  return 0;
}
static int is_file(int fd) { return is_tracked(fd) == 1; }

static int open_file(int dirfd, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  const char *found = below(dirfd, path, whole);
  if (!found) return syscall(SYS_openat, dirfd, path, flags, mode);
  pthread_mutex_lock(&order);
  struct stat before;
  int was = syscall(SYS_newfstatat, AT_FDCWD, found, &before, AT_SYMLINK_NOFOLLOW) == 0;
  int fd = syscall(SYS_openat, dirfd, path, flags, mode);
  int failure = errno;
  if (fd >= 0 && fd < MAX_FDS) {
    struct stat now;
    fstat(fd, &now);
    inodes[fd] = now.st_ino;
    if (S_ISDIR(now.st_mode)) {
      tracked[fd] = 2;
      strcpy(directories[fd % 256], found);
    } else if (S_ISREG(now.st_mode)) {
      tracked[fd] = 1;
      // The offset says whether the file is new.
      if (!was || (flags & O_ACCMODE) != O_RDONLY) note(OPENED, now.st_ino, !was, found, NULL, 0, 0);
      if (was && (flags & O_TRUNC)) note(TRUNCATED, now.st_ino, 0, NULL, NULL, 0, 0);
    }
  }
  pthread_mutex_unlock(&order);
  errno = failure;
  return fd;
}

#define MODE_OF(flags)                                                                                       \
  mode_t mode = 0;                                                                                           \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                   \
    va_list more;                                                                                            \
    va_start(more, flags);                                                                                   \
    mode = va_arg(more, mode_t);                                                                             \
    va_end(more);                                                                                            \
  }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags, mode); }
int openat(int dir, const char *path, int flags, ...) { MODE_OF(flags) return open_file(dir, path, flags, mode); }
int openat64(int dir, const char *path, int flags, ...) { MODE_OF(flags) return open_file(dir, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int fd) {
  if (fd >= 0 && fd < MAX_FDS && tracked[fd]) {
    pthread_mutex_lock(&order);
    tracked[fd] = 0;
    int result = syscall(SYS_close, fd);
    pthread_mutex_unlock(&order);
    return result;
  }
  return syscall(SYS_close, fd);
}

// `offset` -1: where the file stands.
static ssize_t write_file(int fd, const struct iovec *bytes, int count, off_t offset) {
  pthread_mutex_lock(&order);
  uint64_t at = offset;
  if (offset < 0) {
    struct stat now;
    int flags = fcntl(fd, F_GETFL);
    if (flags & O_APPEND) { fstat(fd, &now); at = now.st_size; }
    else at = lseek(fd, 0, SEEK_CUR);
  }
  ssize_t size = offset < 0 ? syscall(SYS_writev, fd, bytes, count)
                            : syscall(SYS_pwritev, fd, bytes, count, (long)offset, 0L);
  int failure = errno;
  if (size > 0) note(WRITTEN, inodes[fd], at, NULL, bytes, count, size);
  pthread_mutex_unlock(&order);
  errno = failure;
  return size;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  if (!is_file(fd)) return syscall(SYS_write, fd, bytes, size);
  struct iovec one = {(void *)bytes, size};
  return write_file(fd, &one, 1, -1);
}
ssize_t writev(int fd, const struct iovec *bytes, int count) {
  return is_file(fd) ? write_file(fd, bytes, count > 64 ? 64 : count, -1) : syscall(SYS_writev, fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  if (!is_file(fd)) return syscall(SYS_pwrite64, fd, bytes, size, offset);
  struct iovec one = {(void *)bytes, size};
  return write_file(fd, &one, 1, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) { return pwrite(fd, bytes, size, offset); }
ssize_t pwritev(int fd, const struct iovec *bytes, int count, off_t offset) {
  return is_file(fd) ? write_file(fd, bytes, count > 64 ? 64 : count, offset)
                     : syscall(SYS_pwritev, fd, bytes, count, (long)offset, 0L);
}
ssize_t pwritev64(int fd, const struct iovec *bytes, int count, off_t offset) { return pwritev(fd, bytes, count, offset); }

int ftruncate(int fd, off_t size) {
  if (!is_file(fd)) return syscall(SYS_ftruncate, fd, size);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_ftruncate, fd, size), failure = errno;
  if (result == 0) note(TRUNCATED, inodes[fd], size, NULL, NULL, 0, 0);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

int truncate(const char *path, off_t size) {
  int fd = open_file(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return -1;
  int result = ftruncate(fd, size), failure = errno;
  close(fd);
  errno = failure;
  return result;
}
int truncate64(const char *path, off_t size) { return truncate(path, size); }

// Neither is used below the root; a use would have to be journaled.
int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (is_file(fd)) abort();
  return syscall(SYS_fallocate, fd, mode, offset, size);
}
int fallocate64(int fd, int mode, off_t offset, off_t size) { return fallocate(fd, mode, offset, size); }

// Durable is what was written before the sync began.
static int sync_file(int fd) {
  pthread_mutex_lock(&order);
  uint64_t upto = next_number();
  int kind = tracked[fd];
  ino_t inode = inodes[fd];
  char path[PATH_MAX] = "";
  if (kind == 2) strcpy(path, directories[fd % 256]);
  pthread_mutex_unlock(&order);
  if (sync_us > 0) usleep(sync_us);
  pthread_mutex_lock(&order);
  if (kind == 2) note(DIRECTORY_SYNCED, 0, upto, path, NULL, 0, 0);
  else note(SYNCED, inode, upto, NULL, NULL, 0, 0);
  pthread_mutex_unlock(&order);
  return 0;
}
int fsync(int fd) { return is_tracked(fd) ? sync_file(fd) : syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return is_tracked(fd) ? sync_file(fd) : syscall(SYS_fdatasync, fd); }

static int rename_file(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  char whole_from[PATH_MAX], whole_to[PATH_MAX];
  const char *old = below(from_dir, from, whole_from), *new = below(to_dir, to, whole_to);
  if (!old || !new) return syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_renameat2, from_dir, from, to_dir, to, flags), failure = errno;
  if (result == 0) note_path(RENAMED, old, new);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
int rename(const char *from, const char *to) { return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return rename_file(a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return rename_file(a, from, b, to, flags); }

static int link_file(int from_dir, const char *from, int to_dir, const char *to, int flags) {
  char whole_from[PATH_MAX], whole_to[PATH_MAX];
  const char *old = below(from_dir, from, whole_from), *new = below(to_dir, to, whole_to);
  if (!old || !new) return syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_linkat, from_dir, from, to_dir, to, flags), failure = errno;
  if (result == 0) note_path(LINKED, old, new);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
int link(const char *from, const char *to) { return link_file(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) { return link_file(a, from, b, to, flags); }

static int remove_entry(int dir, const char *path, int flags) {
  char whole[PATH_MAX];
  const char *found = below(dir, path, whole);
  if (!found) return syscall(SYS_unlinkat, dir, path, flags);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_unlinkat, dir, path, flags), failure = errno;
  if (result == 0) note_path(REMOVED, found, NULL);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
int unlink(const char *path) { return remove_entry(AT_FDCWD, path, 0); }
int unlinkat(int dir, const char *path, int flags) { return remove_entry(dir, path, flags); }
int rmdir(const char *path) { return remove_entry(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = remove_entry(AT_FDCWD, path, 0);
  return result < 0 && errno == EISDIR ? remove_entry(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

int mkdirat(int dir, const char *path, mode_t mode) {
  char whole[PATH_MAX];
  const char *found = below(dir, path, whole);
  if (!found) return syscall(SYS_mkdirat, dir, path, mode);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_mkdirat, dir, path, mode), failure = errno;
  if (result == 0) note_path(DIRECTORY_MADE, found, NULL);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
