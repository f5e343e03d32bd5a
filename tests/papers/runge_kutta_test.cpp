// A referee: the numbers behind claims whose source says Runge-Kutta, computed again by a classical Runge-Kutta of order 4
// with a small fixed step. It shares no code with bristle: laws and rigs are written out as the papers print them.
//
// The steps are small enough that halving them changes no number by more than a thousandth of its claim's interval.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <experiment/experiment.hpp>
#include <functional>
#include <map>
#include <numbers>

namespace {

using std::abs, std::exp, std::tanh;
using Numbers = std::map<std::string, double>;  // "final x", "max v", "stick_begin 1", "period"

struct Force {
    double F, dz;
};

// A08 (1), (2), (4), with alpha 1 or 2. Fc = Fs, sigma1 = sigma2 = 0 is Dahl's law.
struct LuGre {
    double sigma0, sigma1, sigma2, Fc, Fs, vs;
    bool squared;

    double g(double v) const {
        const double r = abs(v / vs);
        return Fc + (Fs - Fc) * exp(squared ? -r * r : -r);
    }
    Force operator()(double z, double v) const {
        const double dz = v - sigma0 * abs(v) / g(v) * z;
        return {sigma0 * z + sigma1 * dz + sigma2 * v, dz};
    }
};
const LuGre c95{1e5, std::sqrt(1e5), 0.4, 1, 1.5, 0.001, true};
const LuGre stiff{1.47e6, 2.42e3, 0, 2.94, 5.88, 0.001, false};
const LuGre soft{2940, 108, 0, 2.94, 5.88, 0.1, false};

template <std::size_t n, class Rates>
void advance(std::array<double, n>& y, double t, double dt, const Rates& rates) {
    using State = std::array<double, n>;
    const auto shifted = [&](const State& k, double h) {
        State s = y;
        for (std::size_t i = 0; i < n; ++i) s[i] += h * k[i];
        return s;
    };
    const State a = rates(t, y), b = rates(t + dt / 2, shifted(a, dt / 2)), c = rates(t + dt / 2, shifted(b, dt / 2)),
                d = rates(t + dt, shifted(c, dt));
    for (std::size_t i = 0; i < n; ++i) y[i] += dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
}

// Largest, smallest and last values, and the times at which |v| passes the stick speed.
class Notes {
  public:
    explicit Notes(double stick_speed = 0) : stick_speed_(stick_speed) {}

    void see(double t, double slip, std::initializer_list<std::pair<const char*, double>> values) {
        if (first_) entries_.assign(values.size(), {});
        std::size_t i = 0;
        for (const auto& [name, value] : values) {
            Entry& e = entries_[i++];
            e.low = first_ ? value : std::min(e.low, value);
            e.high = first_ ? value : std::max(e.high, value);
            e.name = name;
            e.last = value;
        }
        const double speed = abs(slip);
        if (!first_ && (speed < stick_speed_) != (before_ < stick_speed_)) {
            const double at = t_ + (t - t_) * (stick_speed_ - before_) / (speed - before_);
            (speed < stick_speed_ ? begins_ : ends_).push_back(at);
        }
        before_ = speed;
        t_ = t;
        first_ = false;
    }
    Numbers numbers() const {
        Numbers out;
        for (const Entry& e : entries_) {
            out["max " + std::string(e.name)] = e.high;
            out["min " + std::string(e.name)] = e.low;
            out["final " + std::string(e.name)] = e.last;
        }
        for (std::size_t i = 0; i < begins_.size(); ++i) out["stick_begin " + std::to_string(i + 1)] = begins_[i];
        for (std::size_t i = 0; i < ends_.size(); ++i) out["stick_end " + std::to_string(i + 1)] = ends_[i];
        if (ends_.size() > 1) out["period"] = ends_.back() - ends_[ends_.size() - 2];
        return out;
    }

  private:
    struct Entry {
        const char* name = "";
        double low = 0, high = 0, last = 0;
    };
    double stick_speed_, t_ = 0, before_ = 0;
    bool first_ = true;
    std::vector<Entry> entries_;
    std::vector<double> begins_, ends_;
};

Numbers pulled_spring(const LuGre& law, double k, double pull, double duration, double dt, double stick_speed) {
    std::array<double, 3> y{};  // elongation, v, z
    Notes notes(stick_speed);
    const auto rates = [&](double, const std::array<double, 3>& s) {
        const auto [F, dz] = law(s[2], s[1]);
        return std::array{pull - s[1], k * s[0] - F, dz};
    };
    const long steps = std::lround(duration / dt);
    for (long i = 0; i <= steps; ++i) {
        const double t = double(i) * dt;
        notes.see(t, y[1],
                  {{"elongation", y[0]}, {"x", pull * t - y[0]}, {"v", y[1]}, {"z", y[2]}, {"F", law(y[2], y[1]).F}});
        if (i < steps) advance(y, t, dt, rates);
    }
    return notes.numbers();
}

// A unit mass under a force that is straight between corners; breakaway is the largest F before |v| exceeds fast.
struct Stretch {
    double until, from, to;  // s, N, N
};
template <class Law>
Numbers forced_mass(const Law& law, const std::vector<Stretch>& force, double dt, double fast = 1e9) {
    std::array<double, 3> y{};  // x, v, z
    Notes notes;
    double start = 0, breakaway = 0;
    bool loose = false;
    const auto see = [&](double t, double u) {
        const double F = law(y[2], y[1], u).F;
        loose = loose || abs(y[1]) > fast;
        if (!loose) breakaway = std::max(breakaway, F);
        notes.see(t, y[1], {{"x", y[0]}, {"v", y[1]}, {"z", y[2]}});
    };
    double middle = 0;
    see(0, force.front().from);
    for (const Stretch& s : force) {
        const long steps = std::lround((s.until - start) / dt);
        const double slope = (s.to - s.from) / (s.until - start);
        for (long i = 0; i < steps; ++i) {
            advance(y, double(i) * dt, dt, [&](double t, const std::array<double, 3>& q) {
                const double u = s.from + slope * t;
                const auto [F, dz] = law(q[2], q[1], u);
                return std::array{q[1], u - F, dz};
            });
            const double t = start + double(i + 1) * dt;
            if (abs(t - force.back().until / 2) < dt / 2) middle = y[0];
            see(t, s.from + slope * double(i + 1) * dt);
        }
        start = s.until;
    }
    Numbers out = notes.numbers();
    out["drift"] = y[0] - middle;
    out["breakaway_force"] = breakaway;
    return out;
}
// A law that does not look at the force that is applied.
auto plain(const LuGre& law) {
    return [law](double z, double v, double) { return law(z, v); };
}

// B05 (8) with a constant a, and science.md's rule for dv/dt = 0: the b in [-1, 1] that holds the velocity.
struct Hysteretic {
    LuGre law;
    double a;
    Force with(double z, double v, double b) const {
        const double w = v + b * a, dz = w - abs(w) * law.sigma0 * z / law.g(v);
        return {law.sigma0 * z + law.sigma1 * dz + law.sigma2 * v, dz};
    }
    Force operator()(double z, double v, double u) const {
        const Force up = with(z, v, 1), down = with(z, v, -1);
        if (u > up.F) return up;
        if (u < down.F) return down;
        double low = -1, high = 1;
        for (int i = 0; i < 50; ++i) {
            const double b = (low + high) / 2;
            (with(z, v, b).F < u ? low : high) = b;
        }
        return with(z, v, (low + high) / 2);
    }
};

Numbers servo(double duration, double dt) {
    std::array<double, 4> y{};  // x, v, z, integral
    Notes notes(c95.vs);
    std::vector<double> last;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i <= steps; ++i) {
        notes.see(double(i) * dt, y[1], {{"x", y[0]}, {"v", y[1]}, {"z", y[2]}, {"integral", y[3]}});
        last.push_back(y[0]);
        advance(y, 0, dt, [](double, const std::array<double, 4>& s) {
            const auto [F, dz] = c95(s[2], s[1]);
            return std::array{s[1], -6 * s[1] - 3 * (s[0] - 1) - 4 * s[3] - F, dz, s[0] - 1};
        });
    }
    Numbers out = notes.numbers();
    const auto n = std::lround(out["period"] / dt);
    const auto [low, high] = std::minmax_element(last.end() - n, last.end());
    out["amplitude"] = (*high - *low) / 2;
    return out;
}

// offset + amplitude sin(omega t + phase) as displacement or velocity; loop_area over the last period.
Numbers driven(const LuGre& law, double z0, bool displacement, double offset, double amplitude, double omega,
               double phase, double duration, double dt) {
    std::array<double, 2> y{z0, 0};  // z, work
    Notes notes;
    double work_before = 0;
    const auto speed = [&](double t) {
        return displacement ? amplitude * omega * std::cos(omega * t + phase)
                            : offset + amplitude * std::sin(omega * t + phase);
    };
    const double period = 2 * std::numbers::pi / omega;
    const long steps = std::lround(duration / dt), loop = steps - std::lround(period / dt);
    for (long i = 0; i <= steps; ++i) {
        const double t = double(i) * dt;
        if (i == loop) work_before = y[1];
        const double v = speed(t);
        notes.see(t, v, {{"z", y[0]}, {"F", law(y[0], v).F}});
        if (i == steps) break;
        advance(y, t, dt, [&](double s, const std::array<double, 2>& q) {
            const auto [F, dz] = law(q[0], speed(s));
            return std::array{dz, F * speed(s)};
        });
    }
    Numbers out = notes.numbers();
    out["loop_area"] = y[1] - work_before;
    return out;
}

// M05: block on a belt with speed 1 - exp(-0.1 t), spring 1 N/m, law a coefficient times the weight.
Numbers conveyor(std::array<double, 6> g, double duration, double dt, double stick_speed) {
    const auto law = [g](double v) {
        return 9.81 * (g[0] * (tanh(g[1] * v) - tanh(g[2] * v)) + g[3] * tanh(g[4] * v) + g[5] * v);
    };
    const auto belt = [](double t) { return 1 - exp(-0.1 * t); };
    std::array<double, 2> y{};  // x, v
    Notes notes(stick_speed);
    std::vector<double> all;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i <= steps; ++i) {
        const double t = double(i) * dt, slip = belt(t) - y[1];
        all.push_back(y[0]);
        notes.see(t, slip, {{"x", y[0]}, {"v", y[1]}, {"slip", slip}, {"F", law(slip)}});
        advance(y, t, dt, [&](double s, const std::array<double, 2>& q) {
            return std::array{q[1], -q[0] + law(belt(s) - q[1])};
        });
    }
    Numbers out = notes.numbers();
    const double period = out.contains("period") ? out["period"] : 2 * std::numbers::pi;
    const auto [low, high] = std::minmax_element(all.end() - std::lround(period / dt), all.end());
    out["amplitude"] = (*high - *low) / 2;
    return out;
}

// A pendulum of 1 kg and 1 m with Dahl friction at a radius.
Numbers pendulum(double sigma0, double Fc, double radius, double start, double duration, double dt) {
    const LuGre dahl{sigma0, 0, 0, Fc, Fc, 1, false};
    std::array<double, 3> y{start, 0, 0};
    std::vector<double> maxima;
    Notes notes;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i) {
        const double v = y[1];
        advance(y, 0, dt, [&](double, const std::array<double, 3>& s) {
            const auto [F, dz] = dahl(s[2], radius * s[1]);
            return std::array{s[1], -9.81 * std::sin(s[0]) - radius * F, dz};
        });
        if (v > 0 && y[1] <= 0) maxima.push_back(y[0]);
        notes.see(double(i + 1) * dt, y[1], {{"theta", y[0]}, {"omega", y[1]}, {"z", y[2]}});
    }
    Numbers out = notes.numbers();
    if (maxima.size() > 1) out["amplitude_decay"] = (maxima.front() - maxima.back()) / double(maxima.size() - 1);
    out["maxima"] = double(maxima.size());
    return out;
}

// A unit mass under 0.4 (1 - cos(10 pi t)) N.
Numbers shaken(double duration, double dt) {
    const double omega = 10 * std::numbers::pi;
    std::array<double, 3> y{};  // x, v, z
    double middle = 0, highest = 0;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i) {
        if (2 * i == steps) middle = y[0];
        advance(y, double(i) * dt, dt, [&](double t, const std::array<double, 3>& s) {
            const auto [F, dz] = c95(s[2], s[1]);
            return std::array{s[1], 0.4 - 0.4 * std::cos(omega * t) - F, dz};
        });
        highest = std::max(highest, y[0]);
    }
    return {{"drift", y[0] - middle}, {"final x", y[0]}, {"max x", highest}, {"final z", y[2]}};
}

const double pi = std::numbers::pi;
const std::map<std::string, std::function<Numbers()>> cases{
    {"canudas1995/stick_slip", [] { return pulled_spring(c95, 2, 0.1, 25, 1e-5, 0.001); }},
    {"benitez2005/fig1",
     [] {
         return forced_mass(plain(c95),
                            {{10, 0, 1.425},
                             {12, 1.425, 1.425},
                             {32, 1.425, -1.425},
                             {34, -1.425, -1.425},
                             {54, -1.425, 1.425},
                             {56, 1.425, 1.425}},
                            1e-4);
     }},
    {"benitez2005/fig2",
     [] {
         return driven(c95, c95.g(1.1e-3) / c95.sigma0, false, 1.1e-3, 1e-3, 25, 0, 2 * pi + pi / 25, pi / 25 / 20000);
     }},
    {"benitez2005/fig3",
     [] {
         return forced_mass(plain(c95), {{2, 0, 2}}, 1e-5, 0.01);
     }},
    {"benitez2005/fig3_fast",
     [] {
         return forced_mass(plain(c95), {{0.04, 0, 2}}, 1e-6, 0.01);
     }},
    {"benitez2005/fig4", [] { return pulled_spring(c95, 2, 0.1, 40, 1e-5, 0.001); }},
    {"benitez2005/fig5", [] { return servo(100, 2e-5); }},
    {"benitez2005/fig8",
     [] {
         return forced_mass(Hysteretic{c95, 2e-6},
                            {{2, 0, 1.425},
                             {4, 1.425, 1.425},
                             {8, 1.425, -1.425},
                             {10, -1.425, -1.425},
                             {14, -1.425, 1.425},
                             {16, 1.425, 1.425}},
                            5e-5);
     }},
    {"astrom2008/drift_lugre", [] { return shaken(10, 1e-5); }},
    {"astrom2008/fig2",
     [] {
         return forced_mass(plain(stiff), {{0.02, 2.94, 2.94}, {0.04, 0, 0}, {0.08, 2.94, 2.94}}, 1e-6);
     }},
    {"astrom2008/fig4", [] { return pulled_spring(soft, 2, 2, 20, 1e-5, 0.1); }},
    {"astrom2008/fig_s1", [] { return pendulum(1e5, 1, 0.01, 0.2, 60, 1e-4); }},
    {"astrom2008/fig10", [] { return driven(c95, 0, true, 0, 1e-4, 2 * pi, 0, 3, 1e-5); }},
    {"astrom2008/fig10_fast", [] { return driven(c95, 0, true, 0, 1e-4, 12 * pi, 0, 0.5, 0.5 / 300000); }},
    {"makkar2005/coulomb",
     [] {
         return conveyor({0, 0, 0, 0.1, 100, 0}, 60, 1e-4, 0);
     }},
    {"makkar2005/stribeck",
     [] {
         return conveyor({0.25, 100, 10, 0, 0, 0}, 60, 1e-4, 0.02);
     }},
    {"makkar2005/combined",
     [] {
         return conveyor({0.25, 100, 10, 0.1, 100, 0.01}, 60, 1e-4, 0.02);
     }},
    {"naser2013/fig2", [] { return driven(stiff, 0, true, 3e-6, 3e-6, 10, -pi / 2, 0.6 * pi, pi / 5 / 100000); }},
    {"naser2013/fig4", [] { return driven(stiff, 0, true, 3e-6, 3e-6, 0.01, -pi / 2, 1000 * pi, pi * 200 / 1000000); }},
};

std::string key_of(const bristle::experiment::Claim& claim) {
    if (!claim.signal.empty()) return claim.measure + " " + claim.signal;
    return claim.measure.starts_with("stick_") ? claim.measure + " " + std::to_string(claim.at) : claim.measure;
}
bool names_referee(const bristle::experiment::Claim& claim) {
    return claim.source.find("Runge-Kutta") != std::string::npos;
}

class RungeKutta : public testing::TestWithParam<std::string> {};

TEST_P(RungeKutta, NumberLiesInTheClaimsInterval) {
    const auto* file = bristle::experiment::find_shipped(GetParam());
    ASSERT_TRUE(file) << "no such experiment";
    const Numbers numbers = cases.at(GetParam())();
    for (const auto& claim : bristle::experiment::read(std::string(file->text), GetParam()).claims) {
        if (!names_referee(claim)) continue;
        const auto found = numbers.find(key_of(claim));
        ASSERT_NE(found, numbers.end()) << key_of(claim);
        EXPECT_GE(found->second, claim.low) << claim.text;
        EXPECT_LE(found->second, claim.high) << claim.text;
    }
}

std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const auto& [id, compute] : cases) all.push_back(id);
    return all;
}
std::string as_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, RungeKutta, testing::ValuesIn(ids()), as_name);

TEST(RungeKutta, StandsBehindEveryClaimThatNamesIt) {
    for (const auto& file : bristle::experiment::shipped())
        for (const auto& claim : bristle::experiment::read(std::string(file.text), std::string(file.id)).claims)
            EXPECT_TRUE(!names_referee(claim) || cases.contains(std::string(file.id))) << file.id << ": " << claim.text;
}

}  // namespace
