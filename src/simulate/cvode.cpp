// The method cvode: refusals, and the driver of CVODE (SUNDIALS) if the build has it.
#include "simulate/cvode_problem.hpp"

#include <bristle/base/error.hpp>

#ifdef BRISTLE_HAS_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "simulate/cvode.hpp"
#endif

namespace bristle::inline simulation {

bool has_cvode() {
#ifdef BRISTLE_HAS_CVODE
    return true;
#else
    return false;
#endif
}

Result simulate_cvode(const Setup& setup, [[maybe_unused]] const Progress& progress) {
    return std::visit(
        [&]<class Law>([[maybe_unused]] const Law& law) -> Result {
            if constexpr (!is_continuous<Law>)
                throw Error("the method cvode cannot follow a law that switches (" + std::string(kind_of(setup.law)) +
                            "): use run.method = \"adaptive\", which locates the switches");
            else
#ifdef BRISTLE_HAS_CVODE
                return solve_by_cvode(law, setup, progress);
#else
                throw Error(
                    "this build has no CVODE: install libsundials-dev and build with -DBRISTLE_CVODE=ON, or use "
                    "run.method = \"adaptive\"");
#endif
        },
        setup.law);
}

#ifdef BRISTLE_HAS_CVODE
namespace {

const CvodeProblem& problem_of(void* data) { return *static_cast<const CvodeProblem*>(data); }

int rates(double t, N_Vector y, N_Vector f, void* data) {
    problem_of(data).rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}
int jacobian(double t, N_Vector y, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector, N_Vector) {
    problem_of(data).jacobian(t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
    return 0;
}

// The objects of a CVODE session, freed together.
struct Session {
    SUNContext context = nullptr;
    N_Vector y = nullptr, atol = nullptr, work = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver linear = nullptr;
    void* memory = nullptr;
    explicit Session(CvodeProblem& problem) {
        const auto size = sunindextype(problem.y.size());
        SUNContext_Create(nullptr, &context);
        y = N_VNew_Serial(size, context);
        atol = N_VNew_Serial(size, context);
        work = N_VNew_Serial(size, context);
        std::copy(problem.y.begin(), problem.y.end(), N_VGetArrayPointer(y));
        std::copy(problem.atol.begin(), problem.atol.end(), N_VGetArrayPointer(atol));
        memory = CVodeCreate(CV_BDF, context);
        CVodeInit(memory, rates, problem.t, y);
        CVodeSetErrFile(memory, nullptr);  // errors are reported by the status
        CVodeSVtolerances(memory, problem.rtol, atol);
        matrix = SUNDenseMatrix(size, size, context);
        linear = SUNLinSol_Dense(y, matrix, context);
        CVodeSetLinearSolver(memory, linear, matrix);
        CVodeSetJacFn(memory, jacobian);
        CVodeSetUserData(memory, &problem);
        CVodeSetMaxStep(memory, problem.longest);
        CVodeSetMaxNumSteps(memory, -1);
    }
    ~Session() {
        CVodeFree(&memory);
        SUNLinSolFree(linear);
        SUNMatDestroy(matrix);
        for (N_Vector v : {y, atol, work}) N_VDestroy(v);
        SUNContext_Free(&context);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
};

}  // namespace

Status run_cvode(CvodeProblem& problem, double t_end, Statistics& statistics) {
    Session session(problem);
    CVodeSetStopTime(session.memory, t_end);
    Status status = Status::done;
    std::vector<double> y(problem.y.size());
    const auto at = [&](double t, double* out) {
        CVodeGetDky(session.memory, t, 0, session.work);
        const double* found = N_VGetArrayPointer(session.work);
        std::copy(found, found + problem.y.size(), out);
    };
    while (problem.t < t_end && status == Status::done) {
        double reached = problem.t;
        const int flag = CVode(session.memory, t_end, session.y, &reached, CV_ONE_STEP);
        if (flag < 0) {
            status = flag == CV_TOO_MUCH_WORK ? Status::too_many_steps : Status::step_too_small;
            break;
        }
        if (!problem.step(problem.t, reached, at)) status = Status::cancelled;
        // bisection: CVODE's own root search fails if c is at rounding level, as in stick
        const auto c = [&](double t) {
            at(t, y.data());
            return problem.contact_velocity(t, y.data());
        };
        double a = problem.t, b = reached;
        const double before = c(a);
        if (before * c(b) < 0) {
            for (double middle = 0.5 * (a + b); middle > a && middle < b; middle = 0.5 * (a + b))
                (before * c(middle) > 0 ? a : b) = middle;
            problem.reversal(b);
            ++statistics.reversals;
        }
        problem.t = reached;
        long steps = 0;
        CVodeGetNumSteps(session.memory, &steps);
        if (steps > max_run_steps) status = Status::too_many_steps;
    }
    long steps = 0, rejected = 0, evaluations = 0;
    CVodeGetNumSteps(session.memory, &steps);
    CVodeGetNumErrTestFails(session.memory, &rejected);
    CVodeGetNumRhsEvals(session.memory, &evaluations);
    statistics.steps += steps;
    statistics.rejected += rejected;
    statistics.evaluations += evaluations;
    const double* end = N_VGetArrayPointer(session.y);
    std::copy(end, end + problem.y.size(), problem.y.begin());
    return status;
}

#endif

}  // namespace bristle::simulation
