// Quantities of a record: their table, and the channels of a run by quantity.
#include <bristle/identify/record.hpp>

namespace bristle::inline identification {

namespace {

constexpr MeasurandInfo all_measurands[] = {
    {Measurand::time, "time", "s", "s", "time of the row"},
    {Measurand::position, "position", "m", "rad", "measured position of the axis"},
    {Measurand::velocity, "velocity", "m/s", "rad/s", "measured velocity; not needed if there is a position"},
    {Measurand::acceleration, "acceleration", "m/s^2", "rad/s^2",
     "measured acceleration; not needed if there is a position"},
    {Measurand::force, "force", "N", "N m", "friction or actuator force; torque of a rotary axis"},
    {Measurand::current, "current", "A", "A", "motor current"},
    {Measurand::voltage, "voltage", "V", "V", "motor voltage"},
    {Measurand::load, "load", "N", "N m", "normal force on the contact, or the transmitted load of a gear"},
};
static_assert(std::size(all_measurands) == quantities);

}  // namespace

std::span<const MeasurandInfo> measurand_table() { return all_measurands; }
const char* name_of(Measurand quantity) { return all_measurands[std::size_t(quantity)].name; }

std::vector<double>& MeasuredRun::channel(Measurand q) {
    switch (q) {
        case Measurand::time:
            return time;
        case Measurand::position:
            return position;
        case Measurand::velocity:
            return velocity;
        case Measurand::acceleration:
            return acceleration;
        case Measurand::force:
            return force;
        case Measurand::current:
            return current;
        case Measurand::voltage:
            return voltage;
        case Measurand::load:
            break;
    }
    return load;
}
const std::vector<double>& MeasuredRun::channel(Measurand q) const {
    return const_cast<MeasuredRun&>(*this).channel(q);
}

}  // namespace bristle::identification
