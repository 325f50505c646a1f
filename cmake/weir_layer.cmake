# weir_layer(NAME [DEPS layer...] [LIBS library...])
#
# Declares the folder as one layer: a static library weir_<side>_<name> of every *.cpp below it, where <side> is
# compiler or runtime and NAME is the folder's path below the side. Without sources it is an interface library.
#   DEPS  the layers whose headers it may include: of the same side by name, of the other as side/name.
#         tests/lint reads these lines and compares them with the #include lines.
#   LIBS  third-party libraries by the names of weir_third_party.cmake; fmt is always there.
# *_test.cpp go to the side's test program (compiler_tests, runtime_tests). *.bc.cpp and bitcode/*.cpp are part of the
# library and are also compiled to LLVM bitcode for the kit. A main.cpp belongs to an executable,
# never to a layer. Includes start at the repository's root.

define_property(GLOBAL PROPERTY WEIR_LAYERS_compiler BRIEF_DOCS "Layer targets of the compiler")
define_property(GLOBAL PROPERTY WEIR_LAYERS_runtime BRIEF_DOCS "Layer targets of the runtime")
define_property(GLOBAL PROPERTY WEIR_BITCODE BRIEF_DOCS "Sources that are also compiled to bitcode")

function(weir_layer name)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS" ${ARGN})
  file(RELATIVE_PATH path "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" side "${path}")
  if(NOT path STREQUAL "${side}/${name}")
    message(FATAL_ERROR "weir_layer(${name}) stands in ${path}")
  endif()
  string(REPLACE "/" "_" target "weir_${path}")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$")
  set(bitcode ${sources})
  list(FILTER bitcode INCLUDE REGEX "\\.bc\\.cpp$|/bitcode/[^/]*\\.cpp$")
  set_property(GLOBAL APPEND PROPERTY WEIR_BITCODE ${bitcode})
  set_property(GLOBAL APPEND PROPERTY WEIR_TESTS_${side} ${tests})
  set_property(GLOBAL APPEND PROPERTY WEIR_LAYERS_${side} ${target})

  set(links weir_fmt)
  foreach(dep ${ARG_DEPS})
    if(NOT dep MATCHES "^(compiler|runtime)/")
      set(dep "${side}/${dep}")
    endif()
    string(REPLACE "/" "_" dep "weir_${dep}")
    list(APPEND links ${dep})
  endforeach()
  foreach(lib ${ARG_LIBS})
    list(APPEND links weir::${lib})
  endforeach()

  if(NOT sources)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${links})
    target_include_directories(${target} INTERFACE "${CMAKE_SOURCE_DIR}")
    return()
  endif()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE weir_warnings PUBLIC ${links})
  weir_side_options(${target} ${side})
  weir_pch_use(${target} ${side})
endfunction()

# Options that differ between the compiler, the runtime and the tests.
function(weir_side_options target side)
  if(side STREQUAL "runtime")
    # Part of every built program: optimised, and in sections that the linker can drop.
    if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
      target_compile_options(${target} PRIVATE -O2 -DNDEBUG)
    endif()
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  elseif(side STREQUAL "tests" AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# The two test programs, after every layer has been declared.
function(weir_finish_tests)
  if(NOT WEIR_TESTS)
    return()
  endif()
  include(GoogleTest)
  foreach(side compiler runtime)
    get_property(tests GLOBAL PROPERTY WEIR_TESTS_${side})
    get_property(layers GLOBAL PROPERTY WEIR_LAYERS_${side})
    if(NOT tests)
      continue()
    endif()
    # The objects are a library of their own to be position independent in the same way as the precompiled header.
    add_library(${side}_test_objects OBJECT ${tests})
    target_include_directories(${side}_test_objects PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${side}_test_objects PRIVATE weir_warnings ${layers})
    weir_side_options(${side}_test_objects tests)
    weir_pch_use(${side}_test_objects tests)
    add_executable(${side}_tests $<TARGET_OBJECTS:${side}_test_objects>)
    target_link_libraries(${side}_tests PRIVATE ${layers} GTest::gtest GTest::gtest_main)
    add_test(NAME ${side}_tests COMMAND ${side}_tests)
  endforeach()
endfunction()
