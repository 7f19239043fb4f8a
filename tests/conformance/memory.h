// The memory of one run of a case: a copy of each recorded argument storage, between guard bytes, on the run's device.

#pragma once

#include "conformance/recorded_case.h"

namespace sinter::conformance {

class Memory {
 public:
  Memory(const RecordedCase& recorded, Device device);

  // What is on another device becomes what bytes() and damaged() see.
  void fetch();

  Tensor tensor(const RecordedTensor& recorded) const;
  std::span<const std::byte> bytes(int storage) const;
  // Which recorded storage this is; -1 for none.
  int find(const Storage& storage) const;
  bool is_argument(int storage) const { return bool(storages_[storage]); }
  // The first storage whose surrounding bytes were written to; -1 if none was.
  int damaged() const;

 private:
  std::vector<Storage> storages_;  // null: only results lie in it
  std::vector<Storage> on_host_;   // the same on the CPU; those of `storages_` where that is the device
};

}  // namespace sinter::conformance
