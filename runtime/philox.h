// Philox4x32-10: random bits as a pure function of a key and a counter (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011).

#pragma once

#include <array>
#include <cstdint>

namespace sinter::runtime {

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock philox(uint64_t key, PhiloxBlock counter) {
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t{0xD2511F53} * counter[0], p1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<uint32_t>(p1),
               static_cast<uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<uint32_t>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

}  // namespace sinter::runtime
