// Workers take cases from a shared counter, name the case they are at in shared memory, and send verdicts through a
// pipe. The parent reads the pipes, and replaces a worker that died or is too long at one case.

#include "conformance/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace sinter::conformance {

namespace {

// Neighbouring cases share kernels, so a worker takes a few at a time.
constexpr size_t batch = 16;
constexpr int64_t idle = -1;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Slot {
  std::atomic<int64_t> current{idle};  // the case in progress
  std::atomic<int64_t> batch_end{0};   // of the batch that the worker holds
  std::atomic<double> since{0};
};

struct Shared {
  std::atomic<size_t> next{0};
  Slot slots[1];  // one for each worker

  static size_t bytes(int workers) { return sizeof(Shared) + sizeof(Slot) * workers; }
};

Shared* map_shared(int workers) {
  void* memory = mmap(nullptr, Shared::bytes(workers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  auto* shared = new (memory) Shared;
  for (int i = 0; i < workers; ++i) new (&shared->slots[i]) Slot;
  return shared;
}

struct MessageHead {
  uint64_t index;
  uint32_t verdict;
  uint32_t length;
};

void write_all(int file, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(3);
    at += written;
    size -= static_cast<size_t>(written);
  }
}

void send(int file, size_t index, const Judgement& judgement) {
  MessageHead head{index, static_cast<uint32_t>(judgement.verdict), static_cast<uint32_t>(judgement.reason.size())};
  write_all(file, &head, sizeof head);
  write_all(file, judgement.reason.data(), judgement.reason.size());
}

class Pool {
 public:
  Pool(size_t count, const PoolOptions& options, const std::function<Judgement(size_t)>& judge,
       const std::function<void(size_t, Judgement)>& report)
      : count_(count), options_(options), judge_(judge), report_(report), shared_(map_shared(options.processes)) {
    workers_.resize(options.processes);
  }
  Pool(const Pool&) = delete;
  ~Pool() { munmap(shared_, Shared::bytes(options_.processes)); }

  void run() {
    for (size_t i = 0; i < workers_.size(); ++i) start(i, 0, 0);
    while (alive_ > 0) {
      std::vector<pollfd> files;
      for (const Worker& worker : workers_)
        if (worker.process > 0) files.push_back({worker.pipe, POLLIN, 0});
      poll(files.data(), files.size(), 200);
      for (size_t i = 0; i < workers_.size(); ++i)
        if (workers_[i].process > 0) attend(i);
    }
  }

 private:
  struct Worker {
    pid_t process = 0;
    int pipe = -1;
    bool timed_out = false;
    std::string received;
  };

  // A new worker first finishes the batch [begin, end) of the one before it.
  void start(size_t slot, size_t begin, size_t end) {
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    std::fflush(nullptr);
    pid_t process = fork();
    if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (process == 0) {
      close(ends[0]);
      work(shared_->slots[slot], ends[1], begin, end);
      _exit(0);
    }
    close(ends[1]);
    workers_[slot] = {process, ends[0], false, {}};
    ++alive_;
  }

  void work(Slot& slot, int file, size_t begin, size_t end) {
    while (true) {
      slot.batch_end = static_cast<int64_t>(end);
      for (size_t i = begin; i < end; ++i) {
        slot.since = now();
        slot.current = static_cast<int64_t>(i);
        send(file, i, judge_(i));
        slot.current = idle;
      }
      begin = shared_->next.fetch_add(batch);
      if (begin >= count_) return;
      end = std::min(begin + batch, count_);
    }
  }

  void attend(size_t slot_index) {
    Worker& worker = workers_[slot_index];
    Slot& slot = shared_->slots[slot_index];
    bool is_late = slot.current != idle && now() - slot.since > options_.limit_seconds;
    if (is_late && !worker.timed_out) {
      worker.timed_out = true;
      kill(worker.process, SIGKILL);
    }
    pollfd ready{worker.pipe, POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0) return;
    char buffer[1 << 16];
    ssize_t got = read(worker.pipe, buffer, sizeof buffer);
    if (got > 0) {
      worker.received.append(buffer, static_cast<size_t>(got));
      deliver(worker);
    } else if (got == 0) {
      bury(slot_index);
    }
  }

  void deliver(Worker& worker) {
    MessageHead head;
    while (worker.received.size() >= sizeof head) {
      std::memcpy(&head, worker.received.data(), sizeof head);
      if (worker.received.size() < sizeof head + head.length) return;
      report_(head.index, {static_cast<Verdict>(head.verdict), worker.received.substr(sizeof head, head.length)});
      worker.received.erase(0, sizeof head + head.length);
    }
  }

  void bury(size_t slot_index) {
    Worker worker = workers_[slot_index];
    Slot& slot = shared_->slots[slot_index];
    workers_[slot_index].process = 0;
    close(worker.pipe);
    int status = 0;
    waitpid(worker.process, &status, 0);
    --alive_;
    int64_t current = slot.current.exchange(idle);
    if (current == idle) return;
    report_(static_cast<size_t>(current), {Verdict::failed, death_text(worker, status)});
    start(slot_index, static_cast<size_t>(current) + 1, static_cast<size_t>(slot.batch_end.load()));
  }

  std::string death_text(const Worker& worker, int status) const {
    if (worker.timed_out) return fmt::format("hang: still running after {} s", options_.limit_seconds);
    if (WIFSIGNALED(status)) return fmt::format("crash: {}", strsignal(WTERMSIG(status)));
    return fmt::format("crash: the process ended with status {}", WEXITSTATUS(status));
  }

  size_t count_;
  PoolOptions options_;
  const std::function<Judgement(size_t)>& judge_;
  const std::function<void(size_t, Judgement)>& report_;
  Shared* shared_;
  std::vector<Worker> workers_;
  int alive_ = 0;
};

}  // namespace

void judge_all(size_t count, const PoolOptions& options, const std::function<Judgement(size_t)>& judge,
               const std::function<void(size_t, Judgement)>& report) {
  if (options.processes > 0) return Pool(count, options, judge, report).run();
  for (size_t i = 0; i < count; ++i) report(i, judge(i));
}

}  // namespace sinter::conformance
