// Numbers of a set-up by key.
#include <bristle/base/error.hpp>
#include <bristle/bristle.hpp>
#include <bristle/simulate/keyed.hpp>

#include <gtest/gtest.h>

namespace bristle {
namespace {

const bristle::Setup pulled{.law = LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {1.0, 1.5, 1e-3}},
                            .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1},
                            .run = {.duration = 1}};

TEST(KeyedNumbers, AreThoseOfTheTablesOfLawAndRig) {
    EXPECT_EQ(number_at(pulled, "law.sigma0"), 1e5);
    EXPECT_EQ(number_at(pulled, "law.Fs"), 1.5);
    EXPECT_EQ(number_at(pulled, "rig.velocity"), 0.1);
    EXPECT_EQ(number_at(pulled, "load"), 1.0);
    EXPECT_EQ(number_at(pulled, "start.z"), 0.0);
    EXPECT_EQ(number_at(pulled, "rig.Kp"), std::nullopt);
    EXPECT_EQ(number_at(pulled, "input.value"), std::nullopt) << "a pulled spring takes no input";
}

// Oracle of the last number: omega = 2 pi 2 Hz = 4 pi rad/s.
TEST(KeyedNumbers, EachKeyOfTheListReadsBackTheValueThatWasSet) {
    bristle::Setup directions = pulled;
    directions.law = LuGreOver<Directional<Stribeck>>{
        .sigma0 = 1e5, .curve = {.positive = {1.0, 1.5, 1e-3}, .negative = {1.1, 1.6, 2e-3}}};
    bristle::Setup driven{
        .law = Coulomb{.curve = {.Fc = 1.0}}, .rig = ForcedMass{2}, .input = Input::sine(1, 2, 3, 0.4)};
    for (const bristle::Setup& setup : {pulled, directions, driven}) {
        ASSERT_GT(numbers_of(setup).size(), 5u);
        for (const KeyedNumber& number : numbers_of(setup)) {
            const bristle::Setup changed = with_number(setup, number.key, 0.75);
            EXPECT_EQ(number_at(changed, number.key), 0.75) << number.key;
        }
    }
    EXPECT_NEAR(*number_at(with_number(driven, "input.frequency", 2), "input.omega"), 12.566370614359172, 1e-14);
    EXPECT_EQ(number_at(directions, "law.negative.vs"), 2e-3);
}

TEST(KeyedNumbers, ViscousFrictionForBothDirectionsFollowsWhileEqual) {
    const bristle::Setup both = with_number(pulled, "law.sigma2", 0.9);
    EXPECT_EQ(number_at(both, "law.negative.sigma2"), 0.9);
    const bristle::Setup apart = with_number(with_number(pulled, "law.negative.sigma2", 0.2), "law.sigma2", 0.9);
    EXPECT_EQ(number_at(apart, "law.negative.sigma2"), 0.2);
}

TEST(KeyedNumbers, AnUnknownKeyIsRejectedWithTheKeysOfItsSection) {
    try {
        with_number(pulled, "rig.speed", 1);
        FAIL() << "rig.speed was accepted";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the set-up has no number rig.speed; it has rig.mass, rig.stiffness, rig.velocity");
    }
}

}  // namespace
}  // namespace bristle
