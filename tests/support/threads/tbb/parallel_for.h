// tbb::parallel_for and parallel_for_each on std::thread, for the thread sanitizer alone (preset threads): oneTBB itself is not
// compiled with the sanitizer, so its own synchronisation would be reported as races of its callers.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

namespace tbb {

// Calls body(i) for i = first ... last - 1 from up to four threads. Rethrows the first exception after all threads have ended.
template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
    if (!(first < last)) return;
    const std::size_t count = std::size_t(last - first);
    std::atomic<std::size_t> next = 0;
    std::exception_ptr thrown;
    std::mutex throwing;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                body(Index(first + Index(i)));
            } catch (...) {
                const std::scoped_lock lock(throwing);
                if (!thrown) thrown = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count && i < 4; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
}

template <class Container, class Body>
void parallel_for_each(Container& container, const Body& body) {
    std::vector<decltype(&*std::begin(container))> items;
    for (auto& item : container) items.push_back(&item);
    parallel_for(std::size_t(0), items.size(), [&](std::size_t i) { body(*items[i]); });
}

}  // namespace tbb
