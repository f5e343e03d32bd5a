// See parallel_for.h.
#pragma once
#include <tbb/parallel_for.h>
