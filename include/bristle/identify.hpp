// Identification of friction laws from measurements: one header for all of bristle::identify
// (find_package(bristle COMPONENTS identify)).
//
//   #include <bristle/identify.hpp>
//   using namespace bristle;
//
//   const Record record = read_record(matching_files({"axis.csv"}), {});
//   const FitResult found = fit(record, {.model = {.measured = Measured::actuator, .inertia = Setting::find()}});
//   found.best().kind;                          // "lugre"
//   found.best().parameter("Fc")->value;        // N; .se, .low and .high are its error bars
//   certify(found.best().law).passive.verdict;  // the law goes on into simulate, analyse and the core
//
// Errors: reading and fitting throw Error with all problems. A long fit takes a progress function that can cancel it.
#pragma once
#include <bristle/analyse.hpp>
#include <bristle/identify/finding.hpp>
#include <bristle/identify/fit.hpp>
#include <bristle/identify/fitted_quantity.hpp>
#include <bristle/identify/record.hpp>
#include <bristle/identify/stages.hpp>
