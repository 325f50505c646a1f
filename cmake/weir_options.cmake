# Compiler and linker settings of the whole tree.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON) # __int128 as a full citizen of the standard library's traits
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(clang OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(clang ON)
endif()

# Line tables are enough for stack traces and profiles, and keep objects and caches small.
if(clang)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -gline-tables-only")
else()
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

add_library(weir_warnings INTERFACE)
target_compile_options(weir_warnings INTERFACE
  -Wall -Wextra -Werror -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wundef)
if(clang)
  # libstdc++ 12 marks the buffer that its own stable_sort uses as deprecated.
  target_compile_options(weir_warnings INTERFACE
    -Wshadow -Wimplicit-fallthrough -Wunused-result -Wno-deprecated-declarations)
else()
  # False positives of GCC 12 in inlined standard library code and in GoogleTest's macros, and its noisier -Wshadow.
  target_compile_options(weir_warnings INTERFACE
    -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict
    -Wno-missing-field-initializers -Wno-dangling-else)
endif()

add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")

if(WEIR_SANITIZE)
  add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WEIR_SANITIZE})
  if(clang AND WEIR_SANITIZE MATCHES "undefined")
    # Third-party archives carry no type information for these two.
    add_compile_options(-fno-sanitize=vptr,function)
    add_link_options(-fno-sanitize=vptr,function)
  endif()
endif()
if(WEIR_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate -fcoverage-mapping)
endif()
if(WEIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(WEIR_MOLD mold)
if(WEIR_MOLD AND NOT WEIR_COVERAGE)
  add_link_options(-fuse-ld=mold)
elseif(clang)
  add_link_options(-fuse-ld=lld)
endif()

find_program(WEIR_CCACHE_PROGRAM ccache)
if(WEIR_CCACHE AND WEIR_CCACHE_PROGRAM)
  # Checkouts at different places share cached objects.
  set(launcher
    ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true CCACHE_PCH_EXTSUM=true
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${WEIR_CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
