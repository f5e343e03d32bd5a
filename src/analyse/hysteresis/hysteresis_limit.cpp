#include "analyse/hysteresis/hysteresis_limit.hpp"

#include "analyse/hysteresis/hysteresis_laws.hpp"
#include "analyse/scales.hpp"
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::inline analysis {

namespace {

void add_nodes(std::vector<Node>& out, const Variation& variation, const Stroke& s, int points) {
    const bool jump = s.t0 == s.t1;
    const Piece piece = variation.input.piece(s.t0);
    const double direction = s.direction();
    for (int i = 0; i <= points; ++i) {
        const double share = double(i) / points;
        Node n{.t = i == points ? s.t1 : s.t0 + share * (s.t1 - s.t0),
               .u = i == 0        ? s.u0
                    : i == points ? s.u1
                                  : s.u0 + share * (s.u1 - s.u0),
               .v = 0,
               .rho = 0,
               .pace = s.u1 - s.u0,
               .direction = direction,
               .first = i == 0};
        if (!jump) {
            if (i > 0 && i < points) n.u = piece.value(n.t);
            n.v = piece.rate(n.t);
            if (direction * n.v < 0) n.v = 0;  // rounding at a turn
            n.pace = n.v * (s.t1 - s.t0);
        }
        n.rho = i == points ? s.rho1 : s.rho0 + std::abs(n.u - s.u0);
        out.push_back(n);
    }
}

// Exact: N13 (10) between any two points of a stroke.
class BristleWalk {
  public:
    BristleWalk(const RestLevels& rest, double z) : rest_(rest), z_(z) {}
    PathPoint to(const Node& node, double distance) {
        const double level = node.direction > 0 ? rest_.rising : rest_.falling;
        const double target = node.direction * level / rest_.sigma0, x = rest_.sigma0 * distance / level;
        z_ += -std::expm1(-x) * (target - z_);
        return {node.rho, node.u, rest_.on_force * rest_.sigma0 * z_, z_};
    }

  private:
    RestLevels rest_;
    double z_;
};

// At a speed next to nothing, by the exact step; several a node because not every law is exact while v is held.
template <class Law>
class CrawlingWalk {
  public:
    CrawlingWalk(const Law& law, const Scales& scales, double z0, double load)
        : contact_(law), speed_(1e-9 * scales.slowest), still_(1e-9 * scales.deflection), load_(load) {
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
            F = contact_.step(node.direction * speed_, still_ / speed_, load_).force_end;
        double z = 0;
        if constexpr (requires { contact_.state().z; }) z = contact_.state().z;
        return {node.rho, node.u, F, z};
    }

  private:
    Contact<Law> contact_;
    double speed_, still_, load_;
};

template <class Walk>
std::vector<PathPoint> pass(Walk& walk, const std::vector<Node>& nodes) {
    std::vector<PathPoint> out;
    out.reserve(nodes.size());
    double u = 0;
    for (const Node& node : nodes) {
        out.push_back(walk.to(node, node.first ? 0 : std::abs(node.u - u)));
        u = node.u;
    }
    return out;
}

}  // namespace

std::vector<Node> nodes_of(const Variation& variation, int points, double cut) {
    constexpr double most = 4e6;  // with five paths of them a gigabyte
    if (double(variation.strokes.size()) * points > most)
        throw Error("no force against the way: " + std::to_string(variation.strokes.size()) +
                    " strokes are more than are looked at (" + std::to_string(int(most / points)) +
                    "); take a shorter motion");
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
        // rounding in the time of the cut does not take a stroke in or out
        const bool counts = nodes[begin].t >= from - 1e-9 * (nodes[end - 1].t - nodes[begin].t);
        const std::size_t intervals = end - begin - 1;
        for (std::size_t i = 0; counts && i <= intervals; ++i) {
            const double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
            sum += weight * points[begin + i].F * nodes[begin + i].pace / (3 * double(intervals));
        }
        begin = end;
    }
    return sum;
}

std::optional<RestLevels> rest_levels(const AnyLaw& law, double load) {
    return std::visit(
        [&]<class Law>(const Law& l) -> std::optional<RestLevels> {
            if constexpr (TravelsByWay<Law>) {
                const auto n = loads(l, load);
                const auto level = [&](double s) {
                    return n.on_curve * s * grip_on(bristle::detail::curve_of(l), s, 0.0).steady;
                };
                return RestLevels{l.sigma0, level(1), level(-1), n.on_force};
            } else {
                return {};
            }
        },
        law);
}

std::optional<Walks> walks_of(const AnyLaw& law, const std::vector<Node>& nodes, int passes, double z0, double load,
                              bool settle) {
    Walks out;
    if (const auto rest = rest_levels(law, load)) {
        BristleWalk walk(*rest, z0);
        for (int k = 0; k < passes; ++k) out.passes.push_back(pass(walk, nodes));
        if (!settle) return out;
        // a pass takes z to factor z + b, so it comes back to where it was from b/(1 - factor)
        double exponent = 0;
        for (std::size_t i = 1; i < nodes.size(); ++i)
            if (!nodes[i].first)
                exponent += rest->sigma0 * std::abs(nodes[i].u - nodes[i - 1].u) /
                            (nodes[i].direction > 0 ? rest->rising : rest->falling);
        out.factor = std::exp(-exponent);
        BristleWalk relaxed(*rest, 0);
        BristleWalk settled(*rest, pass(relaxed, nodes).back().z / -std::expm1(-exponent));
        out.settled = pass(settled, nodes);
        return out;
    }
    if (std::holds_alternative<AnyHysteretic>(law)) return {};
    const int to_settle = settle ? 30 : 0;
    std::visit(
        [&](const auto& l) {
            CrawlingWalk walk(l, scales_of(law, load), z0, load);
            for (int k = 0; k < passes; ++k) out.passes.push_back(pass(walk, nodes));
            for (int k = 0; k < to_settle; ++k) out.settled = pass(walk, nodes);
        },
        law);
    return out;
}

}  // namespace bristle::inline analysis
