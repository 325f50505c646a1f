# The common headers, precompiled once with the options of the compiler, of the runtime and of the tests. A source
# still includes what it uses: the gcc preset builds without this.
#
# Sources name the precompiled header by a path relative to the build folder, and the compiler cache identifies it by a
# checksum of its ingredients instead of its bytes, which hold absolute paths: so checkouts at different places share
# cached objects.

set(WEIR_PCH_HEADER "${CMAKE_SOURCE_DIR}/cmake/common_headers.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${WEIR_PCH_HEADER}")

function(weir_pch_create side)
  file(SHA256 "${WEIR_PCH_HEADER}" text)
  string(SHA256 sum "${text} ${ARGN} ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${side} ${CMAKE_BUILD_TYPE} \
${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELWITHDEBINFO} ${WEIR_SANITIZE} ${WEIR_COVERAGE} ${WEIR_FUZZ}")
  set(target weir_pch_${side})

  file(WRITE "${CMAKE_BINARY_DIR}/pch/${side}.cpp" "")
  add_library(${target} OBJECT "${CMAKE_BINARY_DIR}/pch/${side}.cpp")
  target_link_libraries(${target} PRIVATE weir_warnings)
  weir_side_options(${target} ${side})
  target_precompile_headers(${target} PRIVATE "${WEIR_PCH_HEADER}" ${ARGN})
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  set(file "CMakeFiles/${target}.dir/cmake_pch.hxx.pch")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${file}.sum" CONTENT "${sum}\n")

endfunction()

if(WEIR_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_GENERATOR STREQUAL "Ninja")
  weir_pch_create(compiler)
  weir_pch_create(runtime)
  if(WEIR_TESTS)
    weir_pch_create(tests <gtest/gtest.h>)
  endif()
endif()

# Lets a C++ target of that side use the precompiled header. Call it where the target's sources were named, as the
# order of the build hangs on the sources.
function(weir_pch_use target side)
  if(TARGET weir_pch_${side})
    set(file "CMakeFiles/weir_pch_${side}.dir/cmake_pch.hxx.pch")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -include-pch -Xclang ${file}")
    get_target_property(sources ${target} SOURCES)
    set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${CMAKE_BINARY_DIR}/${file}")
  endif()
endfunction()
