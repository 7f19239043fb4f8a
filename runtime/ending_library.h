// Libraries whose own objects go while the process ends: clang with LLVM, oneDNN, OpenBLAS.
//
// Static destructors and threads that nobody joined may still call sinter then. From the moment before such a library
// goes it is not used any more: who is in it finishes first, and who comes later does without it.

#pragma once

#include <atomic>
#include <cstdint>

namespace sinter::runtime {

class EndingLibrary {
 public:
  // What is called before the library goes; it calls end().
  explicit constexpr EndingLibrary(void (*at_exit)()) : at_exit_(at_exit) {}

  // A kind of use. Its first ones may make objects of the library, which go at the exit in the order opposite to that:
  // before and after each of them it is announced anew that the library ends before.
  class Kind {
   public:
    explicit constexpr Kind(EndingLibrary& library) : library_(library) {}

   private:
    friend class EndingLibrary;
    EndingLibrary& library_;
    std::atomic<int> uses_ = 0;
  };

  // The library stays for this scope, if it is there.
  class Use {
   public:
    explicit Use(Kind& kind) : kind_(kind), is_there_(kind.library_.enter(kind)) {}
    ~Use() {
      if (is_there_) kind_.library_.leave(kind_);
    }
    Use(const Use&) = delete;
    explicit operator bool() const { return is_there_; }

   private:
    Kind& kind_;
    bool is_there_;
  };

  bool is_gone() const;
  // Waits for those who use it, but not for ever.
  void end();

 private:
  bool enter(Kind& kind);
  void announce(Kind& kind);
  friend struct AnnouncesEnd;
  void leave(Kind& kind);

  void (*at_exit_)();
  std::atomic<bool> is_gone_ = false;
  std::atomic<int64_t> users_ = 0;
  std::atomic<bool> is_listed_ = false;
  EndingLibrary* next_ = nullptr;
};

// oneDNN looks primitives up in an object that goes with the process.
EndingLibrary& dnnl_library();

}  // namespace sinter::runtime
