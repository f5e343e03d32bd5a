// Contact of a machine: a law behind a run-time interface, so that one machine can hold several laws.
//
//   auto contact = make_contact(law);              any row of the catalogue
//   contact->answer(z, c, load, out)               force, rates, power into the store; over double and over dual numbers
//   contact->guard(i, z, at), ->cross(i, z, at)    modes, as in friction.hpp
// The equations are those of Friction<Law> (friction.hpp): one text for rigs and machines. Each law is compiled once
// (BRISTLE_CONTACT), for double and for Dual<double, 8>, which differentiates with respect to states, c, load and held force alike.
// Set-valued laws: the force at an instant is any value in an interval while dc/dt = 0 (dry static laws at c = 0, the hysteretic
// law); at dc/dt > 0 it is the upper end.
#pragma once
#include <bristle/simulate/law.hpp>

#include <memory>

#include "simulate/friction.hpp"

namespace bristle::inline simulation {

inline constexpr std::size_t chunk = 8;  // directions that one evaluation differentiates in
using ChunkDual = Dual<double, chunk>;

template <class S>
struct ContactAnswer {
    std::array<S, max_elements> rate;  // of the states
    S force;
    S stored_power;    // d/dt of the stored energy at constant load [W]
    S stored_by_load;  // derivative of the stored energy with respect to the load [J/N]
};

class ContactLaw {
  public:
    virtual ~ContactLaw() = default;
    virtual std::size_t states() const = 0;
    virtual bool dry() const = 0;
    virtual bool set_valued() const = 0;
    virtual bool held() const = 0;
    virtual int guards() const = 0;
    virtual Watch watches(int i) const = 0;
    virtual double guard(int i, const double* z, const Moment& at) const = 0;
    virtual void cross(int i, const double* z, const Moment& at) = 0;
    virtual void settle(const double* z, const Moment& at) = 0;
    virtual void renew(const double* z, const Moment& at) = 0;  // settle after a corner of an input
    virtual void flip() = 0;
    virtual double side() const = 0;
    // Sets the mode of steady sliding towards a side: all elements slip; a law with velocity memory is on its branch dc/dt = 0.
    virtual void slide(double side) = 0;
    // Force in the present mode, which is not held; and with the force given, held.
    virtual void answer(const double* z, double c, double load, ContactAnswer<double>& out) const = 0;
    virtual void answer(const ChunkDual* z, const ChunkDual& c, const ChunkDual& load,
                        ContactAnswer<ChunkDual>& out) const = 0;
    virtual void answer_held(const double* z, double c, double load, ContactAnswer<double>& out) const = 0;
    virtual void answer_held(const ChunkDual* z, const ChunkDual& c, const ChunkDual& load,
                             ContactAnswer<ChunkDual>& out) const = 0;
    virtual double stored(const double* z, double load) const = 0;
    // Interval of the force [N] of a set-valued law while dc/dt = 0; empty (low > high) if the mode has to stay.
    struct Interval {
        double low, high;
    };
    virtual Interval interval(const double* z, const Moment& at) const = 0;
    // Force at which a dry law at rest yields, towards s: level + slope load [N].
    struct Level {
        double at_no_load, slope;
    };
    virtual Level level(double s) const = 0;
};

std::unique_ptr<ContactLaw> make_contact(const AnyLaw& law);

// The mode of ContactLaw::slide.
template <class F>
void set_sliding(F& friction, double side) {
    friction.side = side;
    if constexpr (requires { friction.w_side; }) friction.branch = 0, friction.w_side = side;
    if constexpr (requires { friction.slips; }) friction.slips.fill(true);
}

template <class Law>
class ContactOf final : public ContactLaw {
    using F = Friction<Law>;
    static constexpr std::size_t n = F::states;

  public:
    explicit ContactOf(const Law& law) : law_(law), friction_(law_) {}
    ContactOf(const ContactOf&) = delete;

    std::size_t states() const override {
        if constexpr (requires { friction_.count(); })
            return friction_.count();
        else
            return n;
    }
    bool dry() const override { return SticksExactly<Law>; }
    bool set_valued() const override { return SticksExactly<Law> || RemembersVelocity<Law>; }
    bool held() const override { return friction_.held(); }
    int guards() const override { return friction_.guards(); }
    Watch watches(int i) const override { return friction_.watches(i); }
    double guard(int i, const double* z, const Moment& at) const override { return friction_.guard(i, all(z), at); }
    void cross(int i, const double* z, const Moment& at) override { friction_.cross(i, all(z), at); }
    void settle(const double* z, const Moment& at) override { friction_.settle(all(z), at); }
    void renew(const double* z, const Moment& at) override {
        if constexpr (requires { friction_.slips; })  // slipping elements slip on unless c reverses
            if (at.c * friction_.side > 0) return;
        friction_.settle(all(z), at);
    }
    void flip() override { friction_.flip(); }
    double side() const override { return friction_.side; }
    void slide(double side) override { set_sliding(friction_, side); }

    void answer(const double* z, double c, double load, ContactAnswer<double>& out) const override {
        free(z, c, load, out);
    }
    void answer(const ChunkDual* z, const ChunkDual& c, const ChunkDual& load,
                ContactAnswer<ChunkDual>& out) const override {
        free(z, c, load, out);
    }
    void answer_held(const double* z, double c, double load, ContactAnswer<double>& out) const override {
        fixed(z, c, load, out);
    }
    void answer_held(const ChunkDual* z, const ChunkDual& c, const ChunkDual& load,
                     ContactAnswer<ChunkDual>& out) const override {
        fixed(z, c, load, out);
    }
    double stored(const double* z, double load) const override { return friction_.stored(all(z), load); }
    Interval interval([[maybe_unused]] const double* z, const Moment& at) const override {
        if constexpr (SticksExactly<Law>)
            return {-holding_force(law_, -1.0, at.load), holding_force(law_, 1.0, at.load)};
        else if constexpr (RemembersVelocity<Law>)
            return {friction_.force_on(-1, z[0], at), friction_.force_on(1, z[0], at)};
        else
            return {1, -1};
    }
    Level level([[maybe_unused]] double s) const override {
        if constexpr (SticksExactly<Law>) {
            const double none = holding_force(law_, s, 0.0);
            return {none, holding_force(law_, s, 1.0) - none};
        } else {
            return {0, 0};
        }
    }

  private:
    template <class S>
    std::array<S, n> all(const S* z) const {
        std::array<S, n> out{};
        for (std::size_t i = 0; i < states(); ++i) out[i] = z[i];
        return out;
    }
    template <class S>
    void energies(const std::array<S, n>& z, const std::array<S, n>& rate, const S& load, ContactAnswer<S>& out) const {
        for (std::size_t i = 0; i < n; ++i) out.rate[i] = rate[i];
        out.stored_power = friction_.stored_power(z, rate, load);
        out.stored_by_load = law_.load_on == LoadOn::all ? friction_.stored(z, S(1)) : S(0);
    }
    template <class S>
    void free(const S* states, const S& c, const S& load, ContactAnswer<S>& out) const {
        const auto z = all(states);
        const auto a = friction_.answer(z, c, load);
        out.force = a.force;
        energies(z, a.rate, load, out);
    }
    template <class S>
    void fixed(const S* states, const S& c, const S& load, ContactAnswer<S>& out) const {
        const auto z = all(states);
        std::array<S, n> rate{};
        if constexpr (requires { friction_.held_rate(z, c, out.force, S(0), load); })
            rate = friction_.held_rate(z, c, out.force, S(0), load);
        energies(z, rate, load, out);
    }

    Law law_;
    F friction_;
};

template <class Law>
std::unique_ptr<ContactLaw> make_contact_of(const Law& law);

}  // namespace bristle::simulation

#define BRISTLE_CONTACT(row)                                                                              \
    namespace bristle::inline simulation {                                                                \
    template <>                                                                                           \
    std::unique_ptr<ContactLaw> make_contact_of(const std::variant_alternative_t<row, LawVariant>& law) { \
        return std::make_unique<ContactOf<std::variant_alternative_t<row, LawVariant>>>(law);             \
    }                                                                                                     \
    }
