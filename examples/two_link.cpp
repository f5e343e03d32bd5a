// Arm with friction in both joints: friction holds it against gravity, a torque makes it slip, and it sticks again.
//
//   M(q) q'' + Vm(q, q') q' + G(q) + f(q') = tau      M05 (1), f: LuGre friction in both joints
// Use of the library by a plant of several degrees of freedom: Contact::respond gives the mean friction of a step and its
// derivative for the Newton iteration of the plant; Contact::step then advances the joint. two_link.hpp has the step.
//
//   two_link [folder]     writes two_link.csv there (build/demo by default)
#include "two_link.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

using two_link::Pair;

namespace {

// Geared joints: friction exceeds gravity. N m/rad, N m s/rad, N m s/rad; N m, N m, rad/s.
constexpr bristle::LuGre shoulder{
    .sigma0 = 2e4, .sigma1 = 100, .sigma2 = 0.5, .curve = {.Fc = 9, .Fs = 12, .vs = 0.02}};
constexpr bristle::LuGre elbow{.sigma0 = 5e3, .sigma1 = 15, .sigma2 = 0.1, .curve = {.Fc = 2.2, .Fs = 3, .vs = 0.02}};
constexpr const char* names[] = {"shoulder", "elbow"};

constexpr double dt = 1e-3, duration = 8, rest_from = 5;  // s

// Motor torques [N m]: zero but for one pulse at the shoulder.
Pair motors(double t) { return {t >= 1 && t < 1.2 ? 30.0 : 0.0, 0.0}; }

// Energy balance since the start [J]; the residual is rounding.
struct Ledger {
    double start = 0, now = 0, work = 0, heat = 0, size = 0;
    double residual() const { return now - start + heat - work; }
};

// Prints when a joint begins to slip (faster than the Stribeck velocity) and when it sticks (slower than a tenth of it).
struct Watch {
    std::array<bool, 2> slips{};
    void update(double t, const two_link::Motion& m, const Pair& w) {
        for (std::size_t i = 0; i < 2; ++i) {
            const bool slipping = std::abs(w[i]) > (slips[i] ? 0.002 : 0.02);
            if (slipping != slips[i])
                std::printf("%7.3f s  the %-8s %s at %8.4f rad\n", t, names[i], slipping ? "slips" : "sticks", m.q[i]);
            slips[i] = slipping;
        }
    }
};

int run(const std::filesystem::path& folder) {
    const auto path = folder / "two_link.csv";
    std::error_code ignored;  // fopen reports a folder that cannot be made
    std::filesystem::create_directories(folder, ignored);
    std::FILE* csv = std::fopen(path.c_str(), "w");
    if (!csv) {
        std::fprintf(stderr, "two_link: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
        return 2;
    }
    std::fputs(
        "t [s],q1 [rad],q2 [rad],w1 [rad/s],w2 [rad/s],tau1 [N m],friction1 [N m],friction2 [N m],energy [J],"
        "heat [J],residual [J]\n",
        csv);

    const two_link::Arm arm;
    std::array joints{bristle::Contact{shoulder}, bristle::Contact{elbow}};
    two_link::Motion m;
    m.q = {0.35, 0.25};  // held by friction alone
    const double on_elbow = arm.second() * std::sin(m.q[0] + m.q[1]);
    const double on_shoulder = arm.first() * std::sin(m.q[0]) + on_elbow;
    std::printf("Gravity pulls with %.2f and %.2f N m; the joints hold up to %.0f and %.0f. Motors off, step %g ms.\n",
                on_shoulder, on_elbow, shoulder.curve.Fs, elbow.curve.Fs, 1e3 * dt);
    // the bristles carry the weight from the start; with z = 0 the arm would first move by G/sigma0
    joints[0].set({-on_shoulder / shoulder.sigma0});
    joints[1].set({-on_elbow / elbow.sigma0});

    const auto energy = [&] {
        return arm.kinetic(m.q, m.p) + arm.potential(m.q) + joints[0].stored() + joints[1].stored();
    };
    Ledger ledger{.start = energy()};
    Watch watch;
    Pair at_rest{}, drift{};
    int trials = 0, worst = 0;
    double max_residual = 0;
    const int steps = int(duration / dt + 0.5);
    for (int i = 0; i < steps; ++i) {
        const double t = i * dt;
        const Pair tau = motors(t + dt / 2);
        const auto done = two_link::step(arm, m, joints, tau, dt);
        if (!done.found) {
            std::fprintf(stderr, "two_link: no solution of the step at %g s\n", t);
            std::fclose(csv);
            return 1;
        }
        watch.update(t + dt, m, done.w);
        trials += done.trials;
        worst = std::max(worst, done.trials);

        ledger.now = energy();
        ledger.work += done.work;
        ledger.heat += done.heat;
        ledger.size = std::max({ledger.size, std::abs(ledger.now - ledger.start), ledger.heat, std::abs(ledger.work)});
        max_residual = std::max(max_residual, std::abs(ledger.residual()));
        if (i == int(rest_from / dt)) at_rest = m.q;
        if (i > int(rest_from / dt))
            for (std::size_t k = 0; k < 2; ++k) drift[k] = std::max(drift[k], std::abs(m.q[k] - at_rest[k]));
        std::fprintf(csv, "%.6g,%.17g,%.17g,%.17g,%.17g,%.6g,%.17g,%.17g,%.17g,%.17g,%.3g\n", t + dt, m.q[0], m.q[1],
                     done.w[0], done.w[1], tau[0], done.friction[0], done.friction[1], ledger.now, ledger.heat,
                     ledger.residual());
    }

    std::printf("\nDrift of the stuck joints over the last %g s: %.1e and %.1e rad\n", duration - rest_from, drift[0],
                drift[1]);
    std::printf("\nEnergy [J]\n");
    std::printf("  %-44s %12.9f\n", "work of the motors", ledger.work);
    std::printf("  %-44s %12.9f\n", "change of kinetic, potential, bristle energy", ledger.now - ledger.start);
    std::printf("  %-44s %12.9f\n", "heat in the joints", ledger.heat);
    std::printf("  %-44s %12.1e  (%.1e of the largest entry)\n", "largest residual", max_residual,
                max_residual / ledger.size);
    std::printf("\nEvaluations of the equation per step: %.2f on average, %d at most, in %d steps\n",
                double(trials) / steps, worst, steps);
    const bool written = std::fclose(csv) == 0;
    if (!written) std::fprintf(stderr, "two_link: cannot finish %s: %s\n", path.c_str(), std::strerror(errno));
    if (written) std::printf("Written: %s\n", path.c_str());
    return written ? 0 : 2;
}

}  // namespace

int main(int count, char** words) {
    const std::string folder = count > 1 ? words[1] : "build/demo";
    const bool help = folder == "--help" || folder == "-h";
    if (help || count > 2 || folder.starts_with("-")) {
        std::fprintf(help ? stdout : stderr,
                     "usage: two_link [folder]\n"
                     "A two-link arm held by friction, pushed once. Writes two_link.csv to folder (build/demo).\n");
        return help ? 0 : 2;
    }
    return run(folder);
}
