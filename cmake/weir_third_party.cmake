# One interface target per third-party library, named weir::<library>. A layer asks for it by LIBS <library>.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

function(weir_third_party name)
  cmake_parse_arguments(ARG "" "" "LINK;INCLUDE;DEFINE" ${ARGN})
  add_library(weir_third_${name} INTERFACE)
  add_library(weir::${name} ALIAS weir_third_${name})
  target_link_libraries(weir_third_${name} INTERFACE ${ARG_LINK})
  target_include_directories(weir_third_${name} SYSTEM INTERFACE ${ARG_INCLUDE})
  target_compile_definitions(weir_third_${name} INTERFACE ${ARG_DEFINE})
endfunction()

# LLVM: "19" alone is refused as a version, and a bare find_package may take an older one.
set(CMAKE_MESSAGE_LOG_LEVEL WARNING) # it reports optional libraries that nothing here uses
find_package(LLVM 19.1 QUIET REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)
find_package(LLD QUIET REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)
unset(CMAKE_MESSAGE_LOG_LEVEL)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(FILTER llvm_definitions EXCLUDE REGEX "^-D_FILE_OFFSET_BITS|^-D__STDC_")
weir_third_party(llvm LINK LLVM INCLUDE ${LLVM_INCLUDE_DIRS})
weir_third_party(lld LINK lldELF lldCommon LLVM z zstd INCLUDE ${LLVM_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
find_program(WEIR_LLD NAMES ld.lld-19 REQUIRED)
find_program(WEIR_CLANGXX NAMES clang++-19 REQUIRED)
find_program(WEIR_OBJCOPY NAMES llvm-objcopy-19 REQUIRED)
find_program(WEIR_LLVM_LINK NAMES llvm-link-19 REQUIRED)

find_path(WEIR_ANTLR_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(WEIR_ANTLR_LIBRARY NAMES libantlr4-runtime.a REQUIRED)
find_program(WEIR_ANTLR antlr4 REQUIRED)
weir_third_party(antlr LINK ${WEIR_ANTLR_LIBRARY} Threads::Threads INCLUDE ${WEIR_ANTLR_INCLUDE})

find_package(nlohmann_json REQUIRED)
weir_third_party(json LINK nlohmann_json::nlohmann_json)

find_path(WEIR_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
weir_third_party(cli11 INCLUDE ${WEIR_CLI11_INCLUDE})

find_path(WEIR_XXHASH_INCLUDE xxhash.h REQUIRED)
weir_third_party(xxhash INCLUDE ${WEIR_XXHASH_INCLUDE} DEFINE XXH_INLINE_ALL)

find_path(WEIR_BOOST_INCLUDE boost/multiprecision/cpp_int.hpp REQUIRED)
weir_third_party(boost INCLUDE ${WEIR_BOOST_INCLUDE})

# Static archives: what the runtime uses is prelinked into the kit, so that a built program needs libc and libm only.
function(weir_find_archives out)
  set(found)
  foreach(name ${ARGN})
    find_library(WEIR_ARCHIVE_${name} NAMES lib${name}.a REQUIRED)
    list(APPEND found ${WEIR_ARCHIVE_${name}})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

weir_find_archives(rocksdb_archives rocksdb snappy lz4 zstd z bz2 gflags)
weir_third_party(rocksdb LINK ${rocksdb_archives} Threads::Threads dl)

weir_find_archives(re2_archives re2)
weir_third_party(re2 LINK ${re2_archives} Threads::Threads)

weir_find_archives(utf8proc_archives utf8proc)
weir_third_party(utf8proc LINK ${utf8proc_archives} DEFINE UTF8PROC_STATIC)

file(GLOB absl_archives /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libabsl_*.a)
list(FILTER absl_archives EXCLUDE REGEX "flags|random|cordz|mock|test")
set(absl_names time time_zone civil_time int128 base raw_logging_internal log_severity spinlock_wait strings
  strings_internal throw_delegate synchronization)
weir_find_archives(absl_time_archives absl_time absl_time_zone absl_civil_time absl_strings absl_strings_internal
  absl_int128 absl_base absl_raw_logging_internal absl_log_severity absl_spinlock_wait absl_throw_delegate)
weir_third_party(absl_time LINK ${absl_time_archives} Threads::Threads)

set(WEIR_KIT_ARCHIVES ${rocksdb_archives} ${re2_archives} ${utf8proc_archives} ${absl_time_archives})

# simdjson: Debian ships headers and a shared library only, so that its one source file is compiled here.
set(WEIR_SIMDJSON_VERSION 3.0.1)
set(WEIR_SOURCES_DIR "" CACHE PATH "Where sources of third-party libraries are kept between builds")
if(NOT WEIR_SOURCES_DIR)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(WEIR_SOURCES_DIR "$ENV{XDG_CACHE_HOME}/weir")
  else()
    set(WEIR_SOURCES_DIR "$ENV{HOME}/.cache/weir")
  endif()
endif()
set(simdjson_dir "${WEIR_SOURCES_DIR}/simdjson-${WEIR_SIMDJSON_VERSION}")
if(NOT EXISTS "${simdjson_dir}/simdjson.cpp")
  message(STATUS "Fetching the source of simdjson ${WEIR_SIMDJSON_VERSION}")
  execute_process(COMMAND bash ${CMAKE_SOURCE_DIR}/cmake/fetch_simdjson.sh ${WEIR_SIMDJSON_VERSION} ${simdjson_dir}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "The source of simdjson ${WEIR_SIMDJSON_VERSION} is not available")
  endif()
endif()
add_library(weir_simdjson OBJECT ${simdjson_dir}/simdjson.cpp)
target_include_directories(weir_simdjson SYSTEM PUBLIC ${simdjson_dir})
target_compile_options(weir_simdjson PRIVATE -O2 -DNDEBUG -w)
weir_third_party(simdjson INCLUDE ${simdjson_dir})
target_link_libraries(weir_third_simdjson INTERFACE weir_simdjson $<TARGET_OBJECTS:weir_simdjson>)

find_path(WEIR_FMT_INCLUDE fmt/format-inl.h REQUIRED)
add_library(weir_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_body.cpp)
target_compile_options(weir_fmt PRIVATE -O2 -DNDEBUG -w -ffunction-sections -fdata-sections)

if(WEIR_TESTS)
  find_package(GTest REQUIRED)
endif()
