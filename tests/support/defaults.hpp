// Default construction in memory that is not zero, to detect members without a default value.
#pragma once
#include <cstring>
#include <new>

namespace bristle::test {

template <class T>
T default_constructed() {
    alignas(T) unsigned char memory[sizeof(T)];
    std::memset(memory, 0xFF, sizeof memory);
    T* object = new (memory) T;
    T copy = *object;
    object->~T();
    return copy;
}

}  // namespace bristle::test
