// Random set-ups over twelve decades: law, rig, input, load, start, duration and tolerance, with the motion slow or fast, small or large
// beside the deflection of the bristles.
#pragma once
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/keyed.hpp>
#include <bristle/simulate/result.hpp>

#include <numbers>

#include "simulate/nominal.hpp"
#include "../support/random_law.hpp"

namespace bristle::inline simulation {

struct RandomSetups {
    draws::Random random;
    explicit RandomSetups(unsigned long seed) : random{std::mt19937_64(seed)} {}

    // Returns a set-up that problems() accepts.
    bristle::Setup next() {
        for (;;) {
            bristle::Setup setup = draw();
            if (problems(setup).empty()) return setup;
        }
    }

  private:
    double pick(std::initializer_list<double> values) {
        return values.begin()[int(random.uniform(0, double(values.size())))];
    }

    bristle::Setup draw() {
        const double mass = random.decades(-6, 6);
        bristle::Setup setup;
        int wanted = int(random.uniform(0, double(std::tuple_size_v<decltype(law_table())>)));
        for_each_law([&]<class Law>(const LawEntry<Law>&) {
            if (wanted-- == 0) setup.law = draws::law<Law>(random, mass);
        });
        setup.load = Input::constant(neutral_load_of(setup.law) == 0 ? random.decades(-3, 3) : 1);
        setup.run.duration = 1;
        setup.rig = ForcedMass{mass};
        const Nominal size =
            std::visit([&](const auto& law) { return nominal(law, setup, setup.load.piece(0).value(0.0)); }, setup.law);
        const double stiffness = size.force / size.position;  // of the contact, or a scale of it [N/m]
        set_rig(setup, mass, size.force, stiffness);
        set_start(setup, size);
        setup.run.rtol = pick({1e-6, 1e-6, 1e-4, 1e-8});
        setup.run.atol = setup.run.rtol;
        setup.run.samples = 11;
        return setup;
    }

    // The drive has a frequency of its own, between slow and fast for the mass on the contact.
    void set_rig(bristle::Setup& setup, double mass, double force, double stiffness) {
        const double spring = stiffness * random.decades(-8, 0), own = std::sqrt(spring / mass);
        const double omega = std::sqrt(stiffness / mass) * random.decades(-6, 0.3);
        const double push = force * (random.chance(0.3) ? random.uniform(0.5, 3) : random.decades(-6, 3));
        const double periods = random.decades(-0.5, 1.5);
        setup.run.duration = periods * 2 * std::numbers::pi / own;
        switch (int(random.uniform(0, 6))) {
            case 0:
                setup.rig = ForcedMass{mass};
                setup.run.duration = periods * 2 * std::numbers::pi / omega;
                setup.input = random.chance(0.5) ? Input::sine(random.chance(0.5) ? 0 : push, push, omega, 0)
                                                 : Input::ramps({{0, 0}, {setup.run.duration, push}});
                break;
            case 1:
                setup.rig = PulledSpring{mass, spring, force / std::sqrt(spring * mass) * random.decades(-6, 2)};
                break;
            case 2: {
                const double damping = 2 * random.decades(-2, 0.5) * std::sqrt(spring * mass);
                // up to twice the gain at the limit of Routh without friction
                const double routh = spring * damping / mass;
                setup.rig = PidServo{mass, damping, spring, random.chance(0.2) ? 0 : routh * random.decades(-3, 0.3),
                                     push / spring};
                break;
            }
            case 3:
                setup.rig =
                    Conveyor{mass, spring, 9.81, force / std::sqrt(spring * mass) * random.decades(-6, 2), 1 / own};
                break;
            case 4: {
                const double length = random.decades(-2, 1);
                setup.rig = Pendulum{mass, length, 9.81, length * random.decades(-2, 0)};
                setup.run.duration = periods * 2 * std::numbers::pi * std::sqrt(length / 9.81);
                break;
            }
            default:
                setup.rig = Prescribed{};
                setup.run.duration = periods * 2 * std::numbers::pi / omega;
                setup.input = Input::sine(0, random.decades(-9, 3), omega, random.uniform(0, 6));
        }
    }
    void set_start(bristle::Setup& setup, const Nominal& size) {
        if (setup.rig.is_prescribed() || random.chance(0.4)) return;
        const RigInfo& info = setup.rig.info();
        const bool angle = std::string_view(info.position.unit) == "rad";
        setup.start[info.position.name] =
            angle ? random.sign() * random.decades(-6, 0.4) : random.sign() * size.position * random.decades(-6, 4);
        if (random.chance(0.5)) setup.start[info.velocity.name] = random.sign() * size.velocity * random.decades(-6, 4);
    }
};

}  // namespace bristle::simulation
