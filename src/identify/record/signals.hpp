// Raw columns to runs in SI units: conversion, order of time, gaps, rows that are used.
#pragma once
#include "identify/record/columns.hpp"

namespace bristle::inline identification::record_detail {

struct TableRuns {
    std::vector<MeasuredRun> runs;
    std::vector<std::uint32_t> rejected;  // lines of all rows that were left out, rising
};
// Runs of one table, cut at gaps. Appends findings; throws nothing. Rows with NaN or infinity, and rows whose time does not rise, are
// left out and reported.
TableRuns runs_of(TableCells cells, const TablePlan& plan, const RecordMap& map, const TableHead& head,
                  std::vector<FitFinding>& findings);

// Median of the sample periods [s], of those > 0; 0 if there is none.
double median_period(const std::vector<double>& time);

// Reports rows of one kind: the first few with their line, then one finding with the number of the others.
class RowFindings {
  public:
    RowFindings(FindingKind kind, std::string place, std::vector<FitFinding>& findings)
        : kind_(kind), place_(std::move(place)), findings_(findings) {}
    void add(long line, std::optional<Measurand> channel, double value = std::numeric_limits<double>::quiet_NaN(),
             const char* unit = "");
    void add_others(std::size_t count) { others_ += count; }
    void close();  // call once, after the last row

  private:
    static constexpr int listed = 5;
    FindingKind kind_;
    std::string place_;
    std::vector<FitFinding>& findings_;
    int count_ = 0;
    std::size_t others_ = 0;
};

}  // namespace bristle::identification::record_detail
