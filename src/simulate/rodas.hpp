// Rodas5P: a stiffly accurate Rosenbrock method of order 5 with an embedded error estimate and dense output of order 4.
//
// For y' = f(t, y), with J = df/dy, W = 1/(gamma h) - J, stage i solves
//   W k_i = f(t + c_i h, y + sum_j a_ij k_j) + sum_j (C_ij/h) k_j + d_i h df/dt
// y1 = y + sum_j a_8j k_j + k_8, error estimate k_8, A-stable and L-stable. No iteration: each step takes eight
// evaluations of f, one Jacobian and one factorisation, without allocation.
// Coefficients: Steinebach, BIT Numerical Mathematics 63:27 (2023), in the form that needs no matrix-vector product.
//
// Components after the first N are quadratures: they depend on the state, and the state does not depend on them. They
// take part in the error estimate (on request) but not in the factorisation.
#pragma once
#include <array>

namespace bristle::inline simulation {

struct Rodas5P {
    static constexpr int stages = 8;
    static constexpr double gamma = 0.21193756319429014;
    static constexpr double a[6][5] = {
        {},
        {3.0},
        {2.849394379747939, 0.45842242204463923},
        {-6.954028509809101, 2.489845061869568, -10.358996098473584},
        {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
        {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946}};
    static constexpr double C[8][7] = {
        {},
        {-14.155112264123755},
        {-17.97296035885952, -2.859693295451294},
        {147.12150275711716, -1.41221402718213, 71.68940251302358},
        {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
        {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
        {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
         -28.087943162872662},
        {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
         -54.66780262877968, -9.48861652309627}};
    static constexpr double c[8] = {
        0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1};
    static constexpr double d[8] = {
        0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0};
    // dense output: y(t + s h) = (1-s) y0 + s (y1 + (1-s) (D2 + s (D3 + s D4)))
    static constexpr double h[3][8] = {
        {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
         1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
        {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
         15.98066361424651, -6.789040303419874, -6.710236069923372},
        {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
         -59.78993625266729, -0.15582684282751913, 4.883087185713722}};
};

// The same method for quadratures alone, dw/dt = w(t, y), without a linear system:
//   w1 = w0 + h sum_i b_i (w_i + d_i h dw/dt + dw/dy k_i),   error estimate: the same sum with e_i, k_i of the states
// From the stages above, solved for the k_i of w, of which `factors` are added.
using StageWeights = std::array<double, Rodas5P::stages>;
constexpr StageWeights quadrature_weights(StageWeights factors) {
    for (std::size_t i = factors.size(); i-- > 0;) {
        for (std::size_t j = i + 1; j < factors.size(); ++j) factors[i] += Rodas5P::C[j][i] * factors[j];
        factors[i] *= Rodas5P::gamma;
    }
    return factors;
}
inline constexpr StageWeights rodas_b = quadrature_weights(
    {Rodas5P::a[5][0], Rodas5P::a[5][1], Rodas5P::a[5][2], Rodas5P::a[5][3], Rodas5P::a[5][4], 1, 1, 1});
inline constexpr StageWeights rodas_e = quadrature_weights({0, 0, 0, 0, 0, 0, 0, 1});

}  // namespace bristle::simulation
