// The core as a module without an operating system: what a web page or a controller would call.
#include <bristle/bristle.hpp>

static constinit bristle::Contact joint{bristle::LuGre{
    .sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = bristle::Stribeck{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}}};

extern "C" double friction(double v, double dt) { return joint.step(v, dt).force; }
