// A stand-in for CUDA's driver that keeps device memory in the host's: it shows
// that each function is called with the arguments that it takes. A launch adds
// up its parameters; one with 4096 bytes of shared memory fails for good.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 1, FILE_NOT_FOUND = 301, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, CONTEXT_IS_NOT_CURRENT = 201 };
static void *const context = (void *)0x77;
static uintptr_t contexts = 0x77; // the last one
static _Thread_local void *current;
static uintptr_t streams; // made so far, of the handles from first_stream on
enum { first_stream = 0x5500 };
static int unknown(void *q) { return (uintptr_t)q - first_stream >= streams; }

int cuInit(unsigned flags) { return flags; }
int cuDriverGetVersion(int *version) { return *version = 12040, 0; }
int cuDeviceGetCount(int *count) { return *count = 2, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = 40 + ordinal, 0; }
int cuDeviceGetName(char *name, int length, int device) { return strncpy(name, "stand-in", length), device != 41; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1u << 30, device != 41; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 16: *value = 132; break;
    case 38: *value = 50 << 20; break;
    case 39: *value = 2048; break;
    case 75: *value = 9; break;
    case 76: *value = 0; break;
    case 97: *value = 232448; break;
    default: return INVALID;
    }
    return device != 41;
}
int cuDevicePrimaryCtxRetain(void **c, int device) { return *c = context, device != 41; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device != 41; }
int cuCtxCreate_v2(void **c, unsigned flags, int device) { return *c = (void *)++contexts, flags || device != 41; }
int cuCtxDestroy_v2(void *c) { return c == context || (uintptr_t)c > contexts; }
int cuCtxSetCurrent(void *c) { return current = c, c < context || (uintptr_t)c > contexts; }
#define CURRENT if (current == NULL) return CONTEXT_IS_NOT_CURRENT
int cuCtxSetLimit(int limit, size_t value) { CURRENT; return limit != 4 || value != 64; }
// A link of one object, which becomes the object and a word behind it, with one library.
static struct { char *log, *code; size_t size; int complete; } linking;
int cuLinkCreate_v2(unsigned n, int *options, void **values, void **state) {
    CURRENT;
    if (n != 2 || options[0] != 5 || options[1] != 6 || (size_t)values[1] < 100) return INVALID;
    return linking.log = values[0], *state = &linking, 0;
}
int cuLinkAddData_v2(void *state, int kind, void *data, size_t size, const char *name, unsigned n, int *options, void **values) {
    CURRENT;
    linking.code = malloc(linking.size = size + 6);
    memcpy(memcpy(linking.code, data, size) + size, "linked", 6);
    return state != &linking || kind != 0 || *name == 0 || n;
}
int cuLinkAddFile_v2(void *state, int kind, const char *path, unsigned n, int *options, void **values) {
    CURRENT;
    FILE *f = fopen(path, "r");
    if (f == NULL) return strcpy(linking.log, "what the linker says"), FILE_NOT_FOUND;
    return fclose(f), linking.complete = 1, state != &linking || kind != 4 || n;
}
int cuLinkComplete(void *state, void **code, size_t *size) {
    CURRENT;
    return *code = linking.code, *size = linking.size, state != &linking || !linking.complete;
}
int cuLinkDestroy(void *state) { CURRENT; return free(linking.code), linking.complete = 0, state != &linking; }
int cuMemAlloc_v2(uint64_t *p, size_t bytes) { CURRENT; return *p = (uint64_t)malloc(bytes), bytes == 0; }
int cuMemFree_v2(uint64_t p) { CURRENT; return free((void *)p), 0; }
int cuMemHostAlloc(void **p, size_t bytes, unsigned flags) { CURRENT; return *p = malloc(bytes), flags; }
int cuMemFreeHost(void *p) { CURRENT; return free(p), 0; }
// Registers pieces of whole huge pages of up to 32 MB each, which must be there until
// the end.
static struct { volatile char *at; size_t bytes; } registered[8];
static void touch(int i, char c) { for (size_t n = 0; n < registered[i].bytes; n += 4096) registered[i].at[n] = c; }
static int find(void *p) { for (int i = 0; i < 8; i++) if (registered[i].at == p) return i; return -1; }
int cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags) {
    CURRENT;
    int i = find(NULL);
    if (i < 0 || find(p) >= 0 || (uint64_t)p % (2 << 20) || bytes % (2 << 20) || bytes > 32 << 20) return INVALID;
    registered[i].at = p, registered[i].bytes = bytes;
    return touch(i, 1), flags;
}
int cuMemHostUnregister(void *p) {
    CURRENT;
    int i = find(p);
    if (p == NULL || i < 0) return INVALID;
    touch(i, 2);
    return registered[i].at = NULL, 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t d, const void *s, size_t n, void *q) { CURRENT; return memcpy((void *)d, s, n), unknown(q); }
int cuMemcpyDtoHAsync_v2(void *d, uint64_t s, size_t n, void *q) { CURRENT; return memcpy(d, (void *)s, n), unknown(q); }
int cuDeviceCanAccessPeer(int *can, int device, int peer) { CURRENT; return *can = device != peer, 0; }
int cuCtxEnablePeerAccess(void *peer, unsigned flags) { return INVALID; } // of parts of one GPU
int cuMemcpyPeerAsync(uint64_t d, void *to, uint64_t s, void *from, size_t n, void *q) { return memcpy((void *)d, (void *)s, n), unknown(q) || current != to || to == from; }
int cuMemsetD8Async(uint64_t d, unsigned char b, size_t n, void *q) { CURRENT; return memset((void *)d, b, n), unknown(q); }
int cuStreamCreate(void **q, unsigned flags) { CURRENT; return *q = (void *)(first_stream + streams++), flags != 1; }
int cuStreamDestroy_v2(void *q) { CURRENT; return unknown(q); }
int cuStreamSynchronize(void *q) { CURRENT; return unknown(q); }
int cuStreamWaitEvent(void *q, void *e, unsigned flags) { CURRENT; return unknown(q) || e == NULL || flags; }
int cuStreamWaitValue32_v2(void *q, uint64_t p, uint32_t value, unsigned flags) { CURRENT; return unknown(q) || *(uint32_t *)p + 1 != value || flags; }
int cuEventCreate(void **e, unsigned flags) { CURRENT; return *e = malloc(1), flags; }
int cuEventDestroy_v2(void *e) { CURRENT; return free(e), 0; }
int cuEventRecord(void *e, void *q) { CURRENT; return e == NULL || unknown(q); }
int cuEventSynchronize(void *e) { CURRENT; return e == NULL; }
int cuEventElapsedTime(float *milliseconds, void *start, void *end) { CURRENT; return *milliseconds = 1.5f, start == end; }
int cuModuleLoadData(void **m, const void *image) { CURRENT; return *m = (void *)0x44, memcmp(image, "\177ELF", 4) != 0; }
int cuModuleUnload(void *m) { CURRENT; return m != (void *)0x44; }
int cuModuleGetFunction(void **f, void *m, const char *name) {
    CURRENT;
    *f = (void *)0x33;
    return strcmp(name, "missing") == 0 ? NOT_FOUND : m != (void *)0x44;
}
int cuFuncGetAttribute(int *value, int attribute, void *f) { CURRENT; return *value = 10 * attribute, f != (void *)0x33; }
int cuFuncSetAttribute(void *f, int attribute, int value) { CURRENT; return attribute != 8 || value <= 4 << 10; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t shared) {
    CURRENT;
    *blocks = 1024 / threads;
    return shared > 232448;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *q, void **params, void **extra) {
    CURRENT;
    if (f != (void *)0x33 || gy != 1 || gz != 1 || by != 1 || bz != 1 || unknown(q) || params != NULL) return INVALID;
    if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL) return INVALID;
    if (shared == 4096) return ILLEGAL_ADDRESS;
    size_t words = *(size_t *)extra[3] / 8;
    uint64_t *word = extra[1], sum = (uint64_t)gx << 32 | bx;
    for (size_t i = 1; i < words; i++) sum += word[i];
    *(uint64_t *)word[0] = sum;
    return 0;
}
int cuGetErrorName(int r, const char **name) {
    *name = r == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : r == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND" : "CUDA_ERROR_FILE_NOT_FOUND";
    return r != ILLEGAL_ADDRESS && r != NOT_FOUND && r != FILE_NOT_FOUND;
}
int cuGetErrorString(int r, const char **text) { return *text = "what the driver says", 0; }
