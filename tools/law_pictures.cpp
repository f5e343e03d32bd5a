// The pictures of docs/models: one function per law that has one.
#include "law_pictures.hpp"
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace {

using namespace bristle;
using report::AxisLabel;
using report::Figure;
using report::Panel;
using report::Series;

constexpr double two_pi = 2 * std::numbers::pi, um = 1e6, mm = 1e3;
constexpr Stribeck curve{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3};
constexpr double sigma0 = 1e5, sigma1 = 316.22776601683796, sigma2 = 0.4;
constexpr LuGre lugre{.sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = curve};

const AxisLabel speed{"velocity v", "mm/s"};
const AxisLabel travel{"displacement x", "µm"};
const AxisLabel friction{"friction force F", "N"};

// ---- experiments ---------------------------------------------------------------------------------------------------

// y(x) at n points between from and to.
Series sampled(std::string name, double from, double to, int n, double scale, const std::function<double(double)>& y) {
    Series s{std::move(name), {}, {}};
    for (int i = 0; i < n; ++i) {
        const double x = from + (to - from) * i / (n - 1);
        s.x.push_back(scale * x);
        s.y.push_back(y(x));
    }
    return s;
}

// F(v) of a static law over [-top, top]; at rest the interval it can hold.
template <class Law>
Series steady_curve(std::string name, const Law& law, double top, double scale) {
    Series s{std::move(name), {}, {}};
    const auto side = [&](double from, double to) {
        const Series part = sampled("", from, to, 150, scale, [&](double v) { return force(law, v); });
        s.x.insert(s.x.end(), part.x.begin(), part.x.end());
        s.y.insert(s.y.end(), part.y.begin(), part.y.end());
    };
    const double near = 1e-6 * top;  // smaller than a pixel
    side(-top, -near);
    if constexpr (SticksExactly<Law>) {
        s.x.insert(s.x.end(), {0, 0});
        s.y.insert(s.y.end(), {-holding_force(law, -1.), holding_force(law, 1.)});
    }
    side(near, top);
    return s;
}

// Force against displacement [um] along x(t), 0 <= t <= duration, from relaxed bristles.
template <class Law>
Series along(std::string name, const Law& law, double duration, const std::function<double(double)>& x) {
    Series s{std::move(name), {}, {}};
    Contact contact{law};
    const int n = 600;
    for (int i = 0; i <= n; ++i) {
        const double t = duration * i / n;
        const auto step = contact.step_to(x(t), duration / n);
        s.x.push_back(um * x(t));
        s.y.push_back(step.force_end);
    }
    return s;
}

// Force against velocity [mm/s] for a velocity that oscillates about a mean, after the first three periods.
template <class Law>
Series lag(std::string name, const Law& law, double mean, double swing, double omega) {
    Series s{std::move(name), {}, {}};
    Contact contact{law};
    const int n = 300;
    const double dt = two_pi / omega / n;
    for (int i = 0; i <= 4 * n; ++i) {
        const double v = mean + swing * std::sin(two_pi * i / n);
        const auto step = contact.step(v, dt);
        if (i < 3 * n) continue;
        s.x.push_back(mm * v);
        s.y.push_back(step.force);
    }
    return s;
}

struct Point {
    double t, x, v, F, pull;
};
// A mass of 1 kg under an external force, from rest.
template <class Law>
std::vector<Point> pushed(const Law& law, double duration, int n, const std::function<double(double)>& pull) {
    std::vector<Point> all;
    Contact contact{law};
    Motion now;
    const double dt = duration / n;
    for (int i = 0; i < n; ++i) {
        const double t = i * dt;
        const auto next = advance(Mass{1.0}, contact, now, pull(t + 0.5 * dt), dt);
        now = next;
        all.push_back({t + dt, next.x, next.v, next.force, pull(t + dt)});
    }
    return all;
}
Series read(std::string name, const std::vector<Point>& points, double Point::*x, double Point::*y, double x_scale = 1,
            double y_scale = 1) {
    Series s{std::move(name), {}, {}};
    for (const Point& p : points) {
        s.x.push_back(x_scale * p.*x);
        s.y.push_back(y_scale * p.*y);
    }
    return s;
}

Figure side_by_side(std::vector<Panel> panels) {
    return {"", std::move(panels), report::Layout::side_by_side, 860, 360, 700};
}

// ---- the laws ------------------------------------------------------------------------------------------------------

Figure coulomb() {
    const Coulomb dry{.curve = {.Fc = 1.0, .Fs = 1.5}};
    const Coulomb uneven{.curve = {.Fc = 1.0}, .sigma2 = 0.4, .sigma2_negative = 1.2};
    const auto ramp = pushed(dry, 7, 750, [](double t) {
        return t < 2 ? t : t < 5 ? std::max(4 - t, 0.0) : 0.6 * (t - 5);
    });
    return side_by_side({{{"velocity v", "m/s"},
                          friction,
                          {steady_curve("dry, Fs > Fc", dry, 1, 1), steady_curve("viscous, uneven", uneven, 1, 1)},
                          "Force over velocity"},
                         {{"time t", "s"},
                          {"force", "N"},
                          {read("friction", ramp, &Point::t, &Point::F), read("push", ramp, &Point::t, &Point::pull)},
                          "Stick, breakaway, stick"}});
}

Figure stribeck() {
    const auto with = [](double alpha) {
        return StribeckFriction{.curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3, .alpha = alpha}, .sigma2 = sigma2};
    };
    using Two = Directional<Stribeck>;
    const basic_static<double, Two> uneven{
        .curve = Two{.positive = curve, .negative = {.Fc = 0.7, .Fs = 0.9, .vs = 2e-3}}, .sigma2 = sigma2};
    return side_by_side({{speed,
                          friction,
                          {steady_curve("α = 2", with(2), 6e-3, mm), steady_curve("α = 1", with(1), 6e-3, mm),
                           steady_curve("α = 0.5", with(0.5), 6e-3, mm)},
                          "The exponent"},
                         {speed, friction, {steady_curve("", uneven, 6e-3, mm)}, "Own parameters for v < 0"}});
}

Figure stribeck_smooth() {
    const auto with = [](double c) {
        return SmoothFriction{.curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3, .c = c}, .sigma2 = sigma2};
    };
    const StribeckFriction sharp{.curve = curve, .sigma2 = sigma2};
    const auto drift = [&](const char* name, const auto& law) {
        return read(name, pushed(law, 10, 1000, [](double) { return 0.75; }), &Point::t, &Point::x, 1, mm);
    };
    return side_by_side({{speed,
                          friction,
                          {steady_curve("c = 10⁴ s/m", with(1e4), 4e-3, mm),
                           steady_curve("c = 2·10³ s/m", with(2e3), 4e-3, mm), steady_curve("sharp", sharp, 4e-3, mm)},
                          "Force over velocity"},
                         {{"time t", "s"},
                          {"displacement x", "mm"},
                          {drift("c = 10⁴ s/m", with(1e4)), drift("c = 2·10³ s/m", with(2e3)), drift("sharp", sharp)},
                          "Creep under half of Fs"}});
}

Figure makkar() {
    const auto part = [](const char* name, const Makkar& law) {
        return sampled(name, -0.4, 0.4, 400, 1, [&](double v) { return force(law, v); });
    };
    const MakkarCurve none{0, 0, 0, 0, 0};
    return side_by_side({{{"velocity v", "m/s"},
                          {"friction coefficient", "1"},
                          {part("sum", {.curve = {.25, 100, 10, .1, 100}, .sigma2 = 0.01}),
                           part("Stribeck term (g1, g2, g3)", {.curve = {.25, 100, 10, 0, 0}}),
                           part("Coulomb (g4, g5)", {.curve = {0, 0, 0, .1, 100}}),
                           part("viscous (g6)", {.curve = none, .sigma2 = 0.01})}}});
}

Figure dahl() {
    const Dahl law{.sigma0 = sigma0, .Fc = 1.0};
    const auto sine = [](double amplitude, double f) {
        return [=](double t) { return amplitude * std::sin(two_pi * f * t); };
    };
    Series fast = along("10 Hz", law, 0.125, sine(30e-6, 10));
    fast.mark = report::Mark::points;
    return side_by_side({{travel,
                          friction,
                          {along("± 60 µm", law, 1.25, sine(60e-6, 1)), along("± 10 µm", law, 1.25, sine(10e-6, 1))},
                          "From first loading to the loop"},
                         {travel,
                          friction,
                          {along("1 Hz", law, 1.25, sine(30e-6, 1)), report::thinned(fast, 160)},
                          "Rate independent"}});
}

Figure lugre_picture() {
    const auto sine = [](double amplitude) { return [=](double t) { return amplitude * std::sin(two_pi * 0.1 * t); }; };
    return side_by_side({{travel,
                          friction,
                          {along("± 40 µm", lugre, 12.5, sine(40e-6)), along("± 10 µm", lugre, 12.5, sine(10e-6))},
                          "Presliding"},
                         {speed,
                          friction,
                          {lag("1 rad/s", lugre, 1.1e-3, 1e-3, 1), lag("10 rad/s", lugre, 1.1e-3, 1e-3, 10),
                           lag("25 rad/s", lugre, 1.1e-3, 1e-3, 25)},
                          "Friction lag (as B05 fig. 2)"}});
}

Figure lugre_microdamped() {
    const MicrodampedLuGre faded{
        .sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = curve, .fade = {.vc = 0.02}};
    // a bristle drawn to Fs by creeping, then dragged at 0.05 m/s
    const auto jump = [](const char* name, const auto& law) {
        return sampled(name, 0, 60e-6, 300, um, [&](double x) {
            Contact contact{law};
            contact.set({1.5 / sigma0});
            return contact.step(0.05, (x + 1e-12) / 0.05).force_end;
        });
    };
    return side_by_side(
        {{speed,
          {"bristle damping", "N s/m"},
          {sampled("fading, vc = 20 mm/s", -0.06, 0.06, 300, mm, [&](double v) { return faded.damping(v); }),
           sampled("constant", -0.06, 0.06, 2, mm, [](double) { return sigma1; })},
          "The damping"},
         {travel, friction, {jump("fading", faded), jump("constant", lugre)}, "Dragged at 50 mm/s after creeping"}});
}

Figure lugre_smooth() {
    const auto with = [](double c) {
        return SmoothLuGre{
            .sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3, .c = c}};
    };
    // slid at 10 mm/s, then stopped
    const auto rest = [](const char* name, const auto& law) {
        return sampled(name, 0, 1, 200, 1, [&](double t) {
            Contact contact{law};
            contact.step(0.01, 1.0);
            return contact.step(0.0, t + 1e-12).force_end;
        });
    };
    const StribeckFriction sharp{.curve = curve, .sigma2 = sigma2};
    const SmoothFriction smooth{.curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3, .c = 1e4}, .sigma2 = sigma2};
    return side_by_side({{speed,
                          friction,
                          {steady_curve("c = 10⁴ s/m", smooth, 4e-3, mm), steady_curve("LuGre", sharp, 4e-3, mm)},
                          "Steady sliding"},
                         {{"time since the stop t", "s"},
                          friction,
                          {rest("c = 10⁴ s/m", with(1e4)), rest("c = 10⁵ s/m", with(1e5)), rest("LuGre", lugre)},
                          "Release at rest"}});
}

Figure lugre_makkar() {
    const MakkarLuGre law{
        .sigma0 = 1e4, .sigma1 = 10, .sigma2 = 0.1, .curve = {.g1 = 2.5, .g2 = 100, .g3 = 10, .g4 = 1, .g5 = 100}};
    const Makkar steady{.curve = law.curve, .sigma2 = law.sigma2};
    return side_by_side({{speed, friction, {steady_curve("", steady, 0.4, mm)}, "Steady sliding"},
                         {speed,
                          friction,
                          {lag("1 rad/s", law, 0.055, 0.05, 1), lag("50 rad/s", law, 0.055, 0.05, 50),
                           lag("200 rad/s", law, 0.055, 0.05, 200)},
                          "Friction lag"}});
}

// B05 fig. 1 and 8: a force ramped to 0.95 Fs, held, reversed, held, and back.
Figure hysteretic() {
    const auto protocol = [](double t) {
        const double top = 1.425;
        if (t < 5) return top * t / 5;
        if (t < 10) return top;
        if (t < 20) return top * (1 - 2 * (t - 10) / 10);
        if (t < 25) return -top;
        return top * (2 * (t - 25) / 10 - 1);
    };
    const Hysteretic shifted{.sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = curve, .a = 2e-6};
    const auto loop = [&](const char* name, const auto& law) {
        return read(name, pushed(law, 35, 7000, protocol), &Point::x, &Point::pull, um);
    };
    return side_by_side({{travel, {"applied force", "N"}, {loop("", shifted)}, "a = 2 µm/s (as B05 fig. 8)"},
                         {travel, {"applied force", "N"}, {loop("", lugre)}, "LuGre (as B05 fig. 1)"}});
}

Figure elastoplastic() {
    const ElastoPlastic law{.sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = curve, .kappa = 0.7};
    const auto shaken = [](double t) { return 0.5 * std::min(t, 1.0) + 0.3 * std::sin(two_pi * t); };
    const auto drift = [&](const char* name, const auto& any) {
        return read(name, pushed(any, 10, 10000, shaken), &Point::t, &Point::x, 1, um);
    };
    const auto sine = [](double t) { return 20e-6 * std::sin(two_pi * 0.1 * t); };
    return side_by_side({{{"time t", "s"},
                          travel,
                          {drift("elasto-plastic", law), drift("LuGre", lugre)},
                          "Shaken below breakaway: LuGre drifts"},
                         {travel,
                          friction,
                          {along("elasto-plastic", law, 12.5, sine), along("LuGre", lugre, 12.5, sine)},
                          "Elastic first, then plastic"}});
}

// Forward, partly back, forward again beyond the reversal: with reversal-point memory the path returns to the first one.
Figure maxwell_slip() {
    MaxwellSlip law{.size = 6, .C = 100, .curve = {.Fc = 1.0, .Fs = 1.0, .vs = 1e-3}};
    for (int i = 0; i < law.size; ++i) {
        law.nu[i] = 1.0 / law.size;
        law.k[i] = law.nu[i] / (5e-6 * (i + 1));  // element i slips after 5 (i + 1) um
    }
    const LuGre plain{.sigma0 = sigma0, .curve = {.Fc = 1.0, .Fs = 1.0, .vs = 1e-3}};
    const auto path = [](double t) {
        constexpr double corners[] = {0, 20e-6, 4e-6, 20e-6, 40e-6, -40e-6};
        const int i = std::min(int(t), 4);
        return corners[i] + (corners[i + 1] - corners[i]) * (t - i);
    };
    return side_by_side({{travel, friction, {along("", law, 5, path)}, "Maxwell-slip closes the inner loop"},
                         {travel, friction, {along("", plain, 5, path)}, "LuGre has no reversal-point memory"}});
}

constexpr GearCurve gears{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3, .kc = 0.1, .ks = 0.25};

Figure gear() {
    const auto under = [](const char* name, double load) {
        const GearFriction law{.curve = gears, .sigma2 = sigma2};
        return steady_curve(name, law_under(law, load), 4e-3, mm);
    };
    const auto against_load = [](const char* name, double v) {
        const GearFriction law{.curve = gears, .sigma2 = sigma2};
        return sampled(name, 0, 10, 50, 1, [&, v](double load) { return force(law, v, load); });
    };
    return side_by_side(
        {{speed, friction, {under("N = 0", 0), under("N = 4 N", 4), under("N = 10 N", 10)}, "Force over velocity"},
         {{"transmitted load N", "N"},
          friction,
          {against_load("v → 0: Fs + ks N", 1e-9), against_load("v = vs", 1e-3),
           against_load("v = 10 vs: Fc + kc N", 1e-2)},
          "Force over load"}});
}

Figure lugre_gear() {
    const GearLuGre law{.sigma0 = sigma0, .sigma1 = sigma1, .sigma2 = sigma2, .curve = gears};
    const auto loop = [&](const char* name, double load) {
        return along(name, law_under(law, load), 12.5, [](double t) { return 60e-6 * std::sin(two_pi * 0.1 * t); });
    };
    // slid at 5 mm/s while the load steps from 2 N to 8 N and back
    const auto load_at = [](double t) { return t > 0.02 && t < 0.06 ? 8.0 : 2.0; };
    Series stepped{"", {}, {}};
    Contact contact{law};
    for (int i = 0; i < 500; ++i) {
        const double dt = 0.1 / 500, t = i * dt;
        const auto step = contact.step(5e-3, dt, load_at(t + 0.5 * dt));
        stepped.x.push_back(1e3 * (t + dt));
        stepped.y.push_back(step.force_end);
    }
    return side_by_side({{travel, friction, {loop("N = 0", 0), loop("N = 4 N", 4), loop("N = 10 N", 10)}, "Presliding"},
                         {{"time t", "ms"}, friction, {stepped}, "At 5 mm/s the load steps from 2 N to 8 N and back"}});
}

}  // namespace

std::optional<Figure> law_picture(const std::string& kind) {
    static const std::map<std::string, Figure (*)()> all{{"coulomb", coulomb},
                                                         {"stribeck", stribeck},
                                                         {"stribeck_smooth", stribeck_smooth},
                                                         {"makkar", makkar},
                                                         {"dahl", dahl},
                                                         {"lugre", lugre_picture},
                                                         {"lugre_microdamped", lugre_microdamped},
                                                         {"lugre_smooth", lugre_smooth},
                                                         {"lugre_makkar", lugre_makkar},
                                                         {"hysteretic", hysteretic},
                                                         {"elastoplastic", elastoplastic},
                                                         {"maxwell_slip", maxwell_slip},
                                                         {"gear", gear},
                                                         {"lugre_gear", lugre_gear}};
    const auto found = all.find(kind);
    if (found == all.end()) return {};
    return found->second();
}
