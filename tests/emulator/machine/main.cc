// The machine as a process: takes commands from its standard input, one after
// the other, and answers each on its standard output. All numbers are 64-bit
// words in the machine's byte order. A kernel that does wrong ends the process,
// with a report on standard error.
#include "scheduler.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

enum Command : uint64_t { Alloc = 1, Free, Upload, Download, Fill, Load, Find, Run };

struct Entry {
    void (*run)(const void *params);
    unsigned size;
};

struct Found {
    Entry entry;
    char *shared;
    size_t shared_size;
};
std::vector<Found> kernels;

void read_all(void *dst, size_t n) {
    for (char *p = (char *)dst; n > 0;) {
        ssize_t got = read(0, p, n);
        if (got <= 0) _exit(0); // the other side has gone
        p += got;
        n -= (size_t)got;
    }
}

void write_all(const void *src, size_t n) {
    for (const char *p = (const char *)src; n > 0;) {
        ssize_t put = write(1, p, n);
        if (put <= 0) _exit(0);
        p += put;
        n -= (size_t)put;
    }
}

uint64_t read_word() {
    uint64_t w;
    read_all(&w, sizeof w);
    return w;
}

void write_word(uint64_t w) { write_all(&w, sizeof w); }

std::string read_text() {
    std::string text(read_word(), 0);
    read_all(text.data(), text.size());
    return text;
}

void write_text(const std::string &text) {
    write_word(text.size());
    write_all(text.data(), text.size());
}

// A fresh allocation holds garbage. Its size is exact, so that the sanitizer
// finds an access behind it.
void alloc() {
    uint64_t size = read_word();
    void *p = nullptr;
    if (posix_memalign(&p, 256, size) != 0) p = nullptr;
    if (p != nullptr) memset(p, 0xCB, size);
    write_word((uint64_t)p);
}

// The copies go through a buffer of this process, so that the device's side is
// accessed by memcpy, which the sanitizer checks.
void upload() {
    void *dst = (void *)read_word();
    std::string bytes = read_text();
    memcpy(dst, bytes.data(), bytes.size());
    write_word(0);
}

void download() {
    const void *src = (const void *)read_word();
    std::string bytes(read_word(), 0);
    memcpy(bytes.data(), src, bytes.size());
    write_text(bytes);
}

void fill() {
    void *dst = (void *)read_word();
    uint64_t byte = read_word();
    memset(dst, (int)byte, read_word());
    write_word(0);
}

// Answers with the module's handle and an error's text.
void load() {
    void *module = dlopen(read_text().c_str(), RTLD_NOW | RTLD_LOCAL);
    write_word((uint64_t)module);
    write_text(module == nullptr ? dlerror() : "");
}

// Answers with the kernel's number plus one (0: there is none) and the size of
// its parameter. A module holds several sources, which keys tell apart.
void find() {
    void *module = (void *)read_word();
    std::string key = read_text(), name = read_text();
    auto entry = (const Entry *)dlsym(module, ("cubeloom_entry_" + key + "_" + name).c_str());
    if (entry == nullptr) {
        write_word(0);
        write_word(0);
        return;
    }
    auto begin = (char **)dlsym(module, ("cubeloom_shared_begin_" + key).c_str());
    auto end = (char **)dlsym(module, ("cubeloom_shared_end_" + key).c_str());
    kernels.push_back({*entry, *begin, (size_t)(*end - *begin)});
    write_word(kernels.size());
    write_word(entry->size);
}

// Answers with the time that the kernel took, in nanoseconds, and the launches of kernels.
void run() {
    const Found &kernel = kernels[read_word() - 1];
    Launch l = {};
    l.grid = (unsigned)read_word();
    l.threads = (unsigned)read_word();
    l.dynamic_shared = read_word();
    Limits limits = {};
    limits.pool = (unsigned)read_word();
    limits.patience = (int64_t)read_word();
    uint64_t seed = read_word();
    std::string params = read_text();
    // A copy of exactly the parameter's size.
    void *block = malloc(params.size());
    memcpy(block, params.data(), params.size());
    l.run = kernel.entry.run;
    l.params = block;
    l.static_shared = kernel.shared;
    l.static_size = kernel.shared_size;
    timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    run_launch(l, limits, seed);
    clock_gettime(CLOCK_MONOTONIC, &end);
    free(block);
    write_word((uint64_t)((end.tv_sec - start.tv_sec) * 1'000'000'000LL + end.tv_nsec - start.tv_nsec));
    write_word(launched_by_kernels().done);
    write_word(launched_by_kernels().refused);
}

} // namespace

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    // Not by _exit, which makes the sanitizer complain of the fiber's stack.
    syscall(SYS_exit_group, 3);
    __builtin_unreachable();
}

int main() {
    for (;;) {
        switch (read_word()) {
        case Alloc: alloc(); break;
        case Free:
            free((void *)read_word());
            write_word(0);
            break;
        case Upload: upload(); break;
        case Download: download(); break;
        case Fill: fill(); break;
        case Load: load(); break;
        case Find: find(); break;
        case Run: run(); break;
        default: fail("unknown command");
        }
    }
}
