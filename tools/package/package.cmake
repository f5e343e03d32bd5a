# Installation: headers, libraries, CMake package, pkg-config files, program, manual page, experiments. And the Debian package.
# The CMake package and the pkg-config files contain no absolute path: an installed folder can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The core alone fits every processor: its package is installed in share/ and does not check the word size.
set(architecture ARCH_INDEPENDENT)
set(root ${CMAKE_INSTALL_DATADIR})
if(parts)
    unset(architecture)
    set(root ${CMAKE_INSTALL_LIBDIR})
endif()
set(package_dir ${root}/cmake/bristle)
set(templates ${CMAKE_CURRENT_LIST_DIR})
set(generated ${PROJECT_BINARY_DIR}/package)

# Needs of static libraries are needs of their users. A shared library brings its own.
set(bristle_is_static OFF)
set(pc_tbb)
set(pc_cvode)
if(parts)
    get_target_property(kind bristle_simulate TYPE)
    if(kind STREQUAL "STATIC_LIBRARY")
        set(bristle_is_static ON)
        set(pc_tbb ", tbb")
        if(bristle_has_cvode)
            set(pc_cvode " -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense")
        endif()
    endif()
endif()
file(RELATIVE_PATH up_from_pc /${root}/pkgconfig /)

foreach(part core simulate analyse identify)
    if(part STREQUAL "core" OR part IN_LIST parts)
        if(NOT bristle_is_static AND NOT part STREQUAL "core")
            set_target_properties(bristle_${part} PROPERTIES INSTALL_RPATH $ORIGIN)  # a library finds the others beside itself
        endif()
        install(TARGETS bristle_${part} EXPORT bristle-${part} FILE_SET HEADERS)
        install(EXPORT bristle-${part} NAMESPACE bristle:: FILE bristle-${part}-targets.cmake DESTINATION ${package_dir})
        configure_file(${templates}/bristle-${part}.pc.in ${generated}/bristle-${part}.pc @ONLY)
        install(FILES ${generated}/bristle-${part}.pc DESTINATION ${root}/pkgconfig)
    endif()
endforeach()
configure_file(${templates}/bristle-config.cmake.in ${generated}/bristle-config.cmake @ONLY)
write_basic_package_version_file(${generated}/bristle-config-version.cmake COMPATIBILITY SameMinorVersion ${architecture})
install(FILES ${generated}/bristle-config.cmake ${generated}/bristle-config-version.cmake DESTINATION ${package_dir})

if("program" IN_LIST parts)
    if(NOT bristle_is_static)
        file(RELATIVE_PATH libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
        set_target_properties(bristle PROPERTIES INSTALL_RPATH $ORIGIN/${libraries})
    endif()
    install(TARGETS bristle)
    install(FILES ${PROJECT_BINARY_DIR}/bristle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/bristle)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})  # --help names its pages
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
endif()

# One Debian package with all of it (`make package`).
if(PROJECT_IS_TOP_LEVEL AND "program" IN_LIST parts)
    set(CPACK_GENERATOR DEB)
    set(CPACK_PACKAGE_NAME bristle)
    set(CPACK_PACKAGE_CONTACT "The Bristle authors")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_SECTION science)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the version of libtbb12 that the program was linked with
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot")
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libtbb-dev")  # for programs that link the libraries
    include(CPack)
endif()
