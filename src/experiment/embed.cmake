# Writes files into a C++ file as the function that lists them, in the order of their ids. Run by CMake as a script:
#   cmake -D folder=experiments -D list=files.txt -D output=shipped_files.cpp
#         -D header=experiment/experiment.hpp -D function=bristle::experiment::shipped -P embed.cmake
# Every byte becomes an escape, so that no file can end the text it is put into.
file(STRINGS "${list}" files)
set(ids)
foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE id)
    string(REGEX REPLACE "\\.toml$" "" id "${id}")
    list(APPEND ids "${id}")
endforeach()
list(SORT ids)

set(rows "")
foreach(id IN LISTS ids)
    file(READ "${folder}/${id}.toml" text HEX)
    string(LENGTH "${text}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(..)" "\\\\x\\1" text "${text}")
    string(LENGTH "${id}" id_size)
    string(HEX "${id}" id)
    string(REGEX REPLACE "(..)" "\\\\x\\1" id "${id}")
    string(APPEND rows "        {{\"${id}\", ${id_size}}, {\"${text}\", ${size}}},\n")
endforeach()

list(LENGTH ids count)
if(count EQUAL 0)
    set(body "    return {};\n")
else()
    set(body "    static constexpr Shipped files[] = {\n${rows}    };\n    return files;\n")
endif()
file(WRITE "${output}" "// Made by embed.cmake.
#include <${header}>

std::span<const bristle::experiment::Shipped> ${function}() {
    using bristle::experiment::Shipped;
${body}}
")
