// Meaning of a fitted number: a number of a law, named as in the papers, or a number of the axis. Names of parameters are for people and
// files; decisions depend on this enumeration.
#pragma once

namespace bristle::inline identification {

enum class FittedQuantity {
    // of the law
    Fc,
    Fs,
    vs,
    alpha,
    sigma0,
    sigma1,
    viscous,  // viscous friction under any name: sigma2, g6
    vc,
    kappa,
    a,
    a_scale,
    c,
    g1,
    g2,
    g3,
    g4,
    g5,
    kc,
    ks,
    C,
    k,             // stiffness of an element of Maxwell-slip
    d,             // deflection at which an element of Maxwell-slip yields
    other_of_law,  // a number on which no decision of a fit depends
    // of the axis: terms that are linear in their coefficient
    inertia,
    armature,
    gravity,
    gravity_cos,
    offset,
    ripple_cos,
    ripple_sin,
    // of the axis: its drive and its sensors
    gain,
    back_emf,
    gap,
    delay
};

constexpr bool is_of_law(FittedQuantity q) { return q <= FittedQuantity::other_of_law; }
constexpr bool is_axis_term(FittedQuantity q) {
    return q >= FittedQuantity::inertia && q <= FittedQuantity::ripple_sin;
}
// True for a mass that moves with the axis.
constexpr bool is_moving_mass(FittedQuantity q) {
    return q == FittedQuantity::inertia || q == FittedQuantity::armature;
}
constexpr bool is_gravity(FittedQuantity q) { return q == FittedQuantity::gravity || q == FittedQuantity::gravity_cos; }
constexpr bool is_ripple(FittedQuantity q) {
    return q == FittedQuantity::ripple_cos || q == FittedQuantity::ripple_sin;
}
// A level of the curve: Fc, Fs, or g4, the Coulomb level of M05 (2).
constexpr bool is_level(FittedQuantity q) {
    return q == FittedQuantity::Fc || q == FittedQuantity::Fs || q == FittedQuantity::g4;
}

}  // namespace bristle::identification
