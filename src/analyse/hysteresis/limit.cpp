// Rate-independent limit of a hysteresis path, N13 (10), and its periodic loop, N13 (11).
#include "analyse/hysteresis/limit.hpp"

#include "analyse/hysteresis/path_length_law.hpp"
#include "analyse/scales.hpp"
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::inline analysis::hysteresis {

namespace {

void add_nodes(std::vector<Node>& out, const Variation& variation, const Stroke& s, int points) {
    const bool jump = s.t0 == s.t1;
    const Piece piece = variation.input.piece(s.t0);
    const double direction = s.direction();
    for (int i = 0; i <= points; ++i) {
        const double fraction = double(i) / points;
        Node n{.t = i == points ? s.t1 : s.t0 + fraction * (s.t1 - s.t0),
               .u = i == 0        ? s.u0
                    : i == points ? s.u1
                                  : s.u0 + fraction * (s.u1 - s.u0),
               .v = 0,
               .rho = 0,
               .du_dxi = s.u1 - s.u0,
               .direction = direction,
               .first = i == 0};
        if (!jump) {
            if (i > 0 && i < points) n.u = piece.value(n.t);
            n.v = piece.rate(n.t);
            if (direction * n.v < 0) n.v = 0;  // rounding at a reversal
            n.du_dxi = n.v * (s.t1 - s.t0);
        }
        n.rho = i == points ? s.rho1 : s.rho0 + std::abs(n.u - s.u0);
        out.push_back(n);
    }
}

// N13 (10) between any two points of a stroke, exact.
class ClosedFormLimit {
  public:
    ClosedFormLimit(const StaticLevels& levels, double z) : levels_(levels), z_(z) {}
    PathPoint to(const Node& node, double distance) {
        const double level = node.direction > 0 ? levels_.rising : levels_.falling;
        const double target = node.direction * level / levels_.sigma0, x = levels_.sigma0 * distance / level;
        z_ += -std::expm1(-x) * (target - z_);
        return {node.rho, node.u, levels_.on_force * levels_.sigma0 * z_, z_};
    }

  private:
    StaticLevels levels_;
    double z_;
};

// Quasi-static motion at 1e-9 of the slowest speed of the law, by Contact::step. 16 steps a node, because some laws are not exact at
// constant v.
template <class Law>
class QuasiStaticLimit {
  public:
    QuasiStaticLimit(const Law& law, const Scales& scales, double z0, double load)
        : contact_(law), speed_(1e-9 * scales.slowest), probe_(1e-9 * scales.deflection), load_(load) {
        if constexpr (requires(typename Law::State s) { s.z; }) {
            auto state = contact_.state();
            state.z = z0;
            contact_.set(state);
        }
    }
    PathPoint to(const Node& node, double distance) {
        constexpr int parts = 16;
        double F = 0;
        if (distance > 0)
            for (int i = 0; i < parts; ++i)
                F = contact_.step(node.direction * speed_, distance / (parts * speed_), load_).force_end;
        else
            F = contact_.step(node.direction * speed_, probe_ / speed_, load_).force_end;
        double z = 0;
        if constexpr (requires { contact_.state().z; }) z = contact_.state().z;
        return {node.rho, node.u, F, z};
    }

  private:
    Contact<Law> contact_;
    double speed_, probe_, load_;
};

template <class Limit>
std::vector<PathPoint> pass(Limit& limit, const std::vector<Node>& nodes) {
    std::vector<PathPoint> out;
    out.reserve(nodes.size());
    double u = 0;
    for (const Node& node : nodes) {
        out.push_back(limit.to(node, node.first ? 0 : std::abs(node.u - u)));
        u = node.u;
    }
    return out;
}

}  // namespace

std::vector<Node> nodes_of(const Variation& variation, int points, double cut) {
    constexpr double max_nodes = 4e6;  // five paths of them take a gigabyte
    if (double(variation.strokes.size()) * points > max_nodes)
        throw Error("hysteresis: " + std::to_string(variation.strokes.size()) + " strokes; the limit is " +
                    std::to_string(int(max_nodes / points)) + "; shorten the motion");
    std::vector<Node> out;
    for (Stroke s : variation.strokes) {
        if (cut > s.t0 && cut < s.t1) {
            Stroke head = s;
            head.t1 = s.t0 = cut;
            head.u1 = s.u0 = variation.input.piece(cut).value(cut);
            head.rho1 = s.rho0 = head.rho0 + std::abs(head.u1 - head.u0);
            add_nodes(out, variation, head, points);
        }
        add_nodes(out, variation, s, points);
    }
    return out;
}

double area_of(const std::vector<Node>& nodes, const std::vector<PathPoint>& points, double from) {
    double sum = 0;
    for (std::size_t begin = 0; begin < nodes.size();) {
        std::size_t end = begin + 1;
        while (end < nodes.size() && !nodes[end].first) ++end;
        // tolerance: rounding of the time of the cut must not add or drop a stroke
        const bool counts = nodes[begin].t >= from - 1e-9 * (nodes[end - 1].t - nodes[begin].t);
        const std::size_t intervals = end - begin - 1;
        for (std::size_t i = 0; counts && i <= intervals; ++i) {
            const double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
            sum += weight * points[begin + i].F * nodes[begin + i].du_dxi / (3 * double(intervals));
        }
        begin = end;
    }
    return sum;
}

std::optional<StaticLevels> static_levels(const AnyLaw& law, double load) {
    return std::visit(
        [&]<class Law>(const Law& l) -> std::optional<StaticLevels> {
            if constexpr (PathLengthLaw<Law>) {
                const auto n = loads(l, load);
                const auto level = [&](double s) {
                    return n.on_curve * s * grip_on(curve_under(l, load), s, 0.0).steady;
                };
                return StaticLevels{l.sigma0, level(1), level(-1), n.on_force};
            } else {
                return {};
            }
        },
        law);
}

std::optional<Passes> passes_of(const AnyLaw& law, const std::vector<Node>& nodes, int count, double z0, double load,
                                bool settle) {
    Passes out;
    if (const auto levels = static_levels(law, load)) {
        ClosedFormLimit limit(*levels, z0);
        for (int k = 0; k < count; ++k) out.passes.push_back(pass(limit, nodes));
        if (!settle) return out;
        // N13 (11): a pass maps z to contraction z + b, so its fixed point is b/(1 - contraction)
        double exponent = 0;
        for (std::size_t i = 1; i < nodes.size(); ++i)
            if (!nodes[i].first)
                exponent += levels->sigma0 * std::abs(nodes[i].u - nodes[i - 1].u) /
                            (nodes[i].direction > 0 ? levels->rising : levels->falling);
        out.contraction = std::exp(-exponent);
        ClosedFormLimit relaxed(*levels, 0);
        ClosedFormLimit settled(*levels, pass(relaxed, nodes).back().z / -std::expm1(-exponent));
        out.settled = pass(settled, nodes);
        return out;
    }
    constexpr int until_settled = 30;
    const bool exists = std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (RemembersVelocity<Law>) return false;
            QuasiStaticLimit limit(l, scales_of(law, load), z0, load);
            for (int k = 0; k < count; ++k) out.passes.push_back(pass(limit, nodes));
            for (int k = 0; settle && k < until_settled; ++k) out.settled = pass(limit, nodes);
            return true;
        },
        law);
    if (!exists) return {};
    return out;
}

}  // namespace bristle::analysis::hysteresis
