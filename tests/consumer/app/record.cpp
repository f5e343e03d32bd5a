// A user's program on bristle::identify: writes a record with a known law as CSV, reads it, fits one law, and compares the numbers.
#include <bristle/identify.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

namespace {

bool good = true;

void check(const char* what, double value, double expected, double tolerance) {
    const bool holds = std::abs(value - expected) <= tolerance;
    good = good && holds;
    std::printf("%s: %.6g, expected %.6g to %.1g%s\n", what, value, expected, tolerance, holds ? "" : ": WRONG");
}

constexpr double inertia = 12, Fc = 20, sigma2 = 150, offset = -3;  // kg, N, N s/m, N

// An axis on a sum of two sines: 2 s at 1 kHz. Noise: triangular, 0.2 N standard deviation, from a congruential generator.
std::string table() {
    std::string out = "t [ms];x [mm];force [N]\n";
    unsigned state = 1;
    const auto uniform = [&] { return double((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); };
    for (int i = 0; i < 2000; ++i) {
        const double t = i * 1e-3;
        double x = 0, v = 0, a = 0;
        for (const auto& [amplitude, omega] : {std::pair{0.05, 6.0}, std::pair{0.01, 22.0}}) {
            x += amplitude * std::sin(omega * t);
            v += amplitude * omega * std::cos(omega * t);
            a -= amplitude * omega * omega * std::sin(omega * t);
        }
        const double noise = 0.2 * std::sqrt(6.0) * (uniform() - uniform());
        const double force = inertia * a + std::copysign(Fc, v) + sigma2 * v + offset + noise;
        char row[80];
        std::snprintf(row, sizeof row, "%d;%.6f;%.4f\n", i, 1e3 * x, force);
        out += row;
    }
    return out;
}

}  // namespace

int main() try {
    const bristle::Record record = bristle::read_record({bristle::RecordText{"axis.csv", table()}}, {});
    check("read_record, rows", double(record.rows()), 2000, 0);
    check("read_record, last position [m]", record.runs.at(0).position.back(),
          0.05 * std::sin(6.0 * 1.999) + 0.01 * std::sin(22.0 * 1.999), 1e-9);  // 1 nm per digit of the table

    // Standard errors of 2000 rows with independent noise of 0.2 N: 5 mN in Fc and offset; with rms a = 3.6 m/s^2 and rms v = 0.26 m/s
    // 1.2 g in inertia and 0.02 N s/m in sigma2. Tolerances: 40 times these, because the filter correlates the residuals and Fc and
    // sigma2 share the velocity; they are at most 1 % of the numbers.
    const bristle::FitResult found = bristle::fit(
        record,
        {.model = {.measured = bristle::Measured::actuator, .inertia = bristle::Setting::find()}, .laws = {"coulomb"}});
    for (const auto& [name, truth, tolerance] :
         {std::tuple{"Fc", Fc, 0.2}, {"offset", offset, 0.2}, {"inertia", inertia, 0.05}, {"sigma2", sigma2, 0.8}}) {
        const bristle::FittedParameter* parameter = found.best().parameter(name);
        check(name, parameter ? parameter->value : NAN, truth, tolerance);
        // Five standard errors: 6e-7 of all noises are farther off.
        if (parameter) check("  in standard errors", (parameter->value - truth) / parameter->se, 0, 5);
    }
    // Noise of 0.2 N, before the filter, of an rms force of 60 N.
    check("held-out error, relative [1]", found.best().heldout.relative, 0.002, 0.002);
    check("certificate of the fitted law: passive",
          bristle::certify(found.best().law).passive.verdict == bristle::Verdict::proved, 1, 0);

    // The fitted law in a contact: Fc + sigma2 v at 0.1 m/s.
    const double force = std::visit(
        [](const auto& law) {
            bristle::Contact joint{law};
            return joint.step(0.1, 1e-3).force;
        },
        found.best().law);
    check("force of the fitted law [N]", force, Fc + 0.1 * sigma2, 0.25);

    // A record without a force is refused with a sentence.
    try {
        bristle::read_record({bristle::RecordText{"poor.csv", "t [s],x [m]\n0,0\n1,1\n2,2\n"}}, {});
        check("a record without a force is refused", 0, 1, 0);
    } catch (const bristle::Error& problem) {
        check("the message names the file", std::string(problem.what()).find("poor.csv") != std::string::npos, 1, 0);
    }
    return good ? 0 : 1;
} catch (const bristle::Error& problem) {
    std::printf("%s\n", problem.what());
    return 1;
}
