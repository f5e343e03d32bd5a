// Findings: names in JSON, channels.
#include <bristle/identify/record.hpp>

namespace bristle::inline identification {

const char* name_of(FindingKind kind) {
    using K = FindingKind;
    switch (kind) {
        case K::column_guessed:
            return "column_guessed";
        case K::unit_guessed:
            return "unit_guessed";
        case K::row_rejected:
            return "row_rejected";
        case K::not_a_number:
            return "not_a_number";
        case K::time_backward:
            return "time_backward";
        case K::time_repeated:
            return "time_repeated";
        case K::time_gap:
            return "time_gap";
        case K::jitter:
            return "jitter";
        case K::saturated:
            return "saturated";
        case K::outlier:
            return "outlier";
        case K::coarse_position:
            return "coarse_position";
        case K::sign_suspect:
            return "sign_suspect";
        case K::unit_suspect:
            return "unit_suspect";
        case K::velocity_lags:
            return "velocity_lags";
        case K::channel_dropped:
            return "channel_dropped";
        case K::rows_lost:
            return "rows_lost";
        case K::delay:
            return "delay";
        case K::sensor_filter:
            return "sensor_filter";
        case K::ripple:
            return "ripple";
        case K::backlash:
            return "backlash";
        case K::drift:
            return "drift";
        case K::fs_below_fc:
            return "fs_below_fc";
        case K::asymmetry:
            return "asymmetry";
        case K::shared_level:
            return "shared_level";
        case K::concave_viscous:
            return "concave_viscous";
        case K::at_bound:
            return "at_bound";
        case K::not_identifiable:
            return "not_identifiable";
        case K::weak:
            return "weak";
        case K::inseparable:
            return "inseparable";
        case K::gain_scales:
            return "gain_scales";
        case K::correlated_residuals:
            return "correlated_residuals";
        case K::held_out_worse:
            return "held_out_worse";
        case K::negative_inertia:
            return "negative_inertia";
        case K::inertia_missing:
            return "inertia_missing";
        case K::no_law_fits:
            return "no_law_fits";
    }
    return "unknown";
}

void FitFinding::set_channel(Measurand quantity) {
    channel = quantity;
    subject = name_of(quantity);
}

std::string RunName::text() const { return part > 0 ? file + " part " + std::to_string(part) : file; }

}  // namespace bristle::identification
