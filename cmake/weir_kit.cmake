# The link kit: what the compiler needs to turn an object into an executable without a compiler on the machine.
#   <build>/lib/weir/kit/weir_rt.o      the runtime and its third-party archives, prelinked
#   <build>/lib/weir/kit/*crt*.o, libc_nonshared.a
#                                       the C library's start files
#   <build>/lib/weir/kit/helpers.bc     the runtime's per-record helpers as LLVM bitcode
# An executable made from it needs the machine's libc and libm only.

set(WEIR_KIT_DIR "${CMAKE_BINARY_DIR}/lib/weir/kit")
file(MAKE_DIRECTORY "${WEIR_KIT_DIR}")
option(WEIR_KIT_DEBUG "Keep the line tables of the runtime in the kit" OFF)

# Start files and static support libraries, as the compiler itself would find them.
function(weir_kit_find out name)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name} OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${path}" OR NOT EXISTS "${path}")
    message(FATAL_ERROR "The link kit needs ${name}, which the compiler does not find")
  endif()
  set(${out} "${path}" PARENT_SCOPE)
endfunction()

set(kit_outputs)
foreach(name Scrt1.o crti.o crtn.o crtbeginS.o crtendS.o libc_nonshared.a)
  weir_kit_find(path ${name})
  add_custom_command(OUTPUT ${WEIR_KIT_DIR}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${path} ${WEIR_KIT_DIR}/${name}
    DEPENDS ${path} COMMENT "Kit: ${name}" VERBATIM)
  list(APPEND kit_outputs ${WEIR_KIT_DIR}/${name})
endforeach()

# Prelinked runtime. The whole of our layers, and of the archives what these use.
file(GLOB entry_main CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/runtime/entry/main.cpp")
if(entry_main)
  get_property(layers GLOBAL PROPERTY WEIR_LAYERS_runtime)
  set(own)
  foreach(layer ${layers})
    get_target_property(type ${layer} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND own ${layer})
    endif()
  endforeach()
  add_library(weir_entry_main OBJECT ${entry_main})
  target_link_libraries(weir_entry_main PRIVATE weir_warnings weir_runtime_entry)
  weir_side_options(weir_entry_main runtime)

  set(own_archives)
  foreach(layer ${own})
    list(APPEND own_archives $<TARGET_FILE:${layer}>)
  endforeach()
  set(support)
  foreach(name libstdc++.a libgcc.a libgcc_eh.a)
    weir_kit_find(path ${name})
    list(APPEND support ${path})
  endforeach()
  # The linker does not strip what it links relocatably.
  set(strip COMMAND ${WEIR_OBJCOPY} --strip-debug ${WEIR_KIT_DIR}/weir_rt.o)
  if(WEIR_KIT_DEBUG OR WEIR_SANITIZE)
    set(strip)
  endif()
  # A sanitized runtime brings the sanitizer along, so that programs link in the same way.
  set(sanitizer)
  if(WEIR_SANITIZE MATCHES "address")
    set(parts asan_static asan asan_cxx)
  elseif(WEIR_SANITIZE MATCHES "thread")
    set(parts tsan tsan_cxx)
  else()
    set(parts)
  endif()
  foreach(part ${parts})
    weir_kit_find(path libclang_rt.${part}-x86_64.a)
    list(APPEND sanitizer ${path})
  endforeach()
  # What generated code may call and the runtime itself may not: arithmetic of 128 bits.
  set(wanted)
  foreach(symbol __divti3 __modti3 __udivti3 __umodti3 __multi3)
    list(APPEND wanted --undefined=${symbol})
  endforeach()
  add_custom_command(OUTPUT ${WEIR_KIT_DIR}/weir_rt.o
    COMMAND ${WEIR_LLD} -r -o ${WEIR_KIT_DIR}/weir_rt.o ${wanted}
      $<TARGET_OBJECTS:weir_entry_main> $<TARGET_OBJECTS:weir_simdjson>
      --whole-archive ${own_archives} ${sanitizer} --no-whole-archive
      --start-group $<TARGET_FILE:weir_fmt> ${WEIR_KIT_ARCHIVES} ${support} --end-group
    ${strip}
    DEPENDS weir_entry_main weir_simdjson weir_fmt ${own} $<TARGET_OBJECTS:weir_entry_main> $<TARGET_OBJECTS:weir_simdjson>
      ${own_archives} ${WEIR_KIT_ARCHIVES}
    COMMAND_EXPAND_LISTS COMMENT "Kit: weir_rt.o" VERBATIM)
  list(APPEND kit_outputs ${WEIR_KIT_DIR}/weir_rt.o)
endif()

# Bitcode. Always by Clang 19, with the flags below and no sanitizer, whatever compiles the rest.
get_property(bitcode_sources GLOBAL PROPERTY WEIR_BITCODE)
if(bitcode_sources)
  set(modules)
  foreach(source ${bitcode_sources})
    file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}" "${source}")
    string(REPLACE "/" "_" name "${name}")
    set(module "${CMAKE_BINARY_DIR}/bitcode/${name}.bc")
    add_custom_command(OUTPUT ${module}
      COMMAND ${WEIR_CLANGXX} -std=gnu++23 -emit-llvm -c -O2 -DNDEBUG -DXXH_INLINE_ALL -DWEIR_BITCODE=1
        -fPIC -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -ffp-contract=off -w
        -I${CMAKE_SOURCE_DIR} -isystem ${simdjson_dir} -MD -MF ${module}.d -MT ${module} -o ${module} ${source}
      DEPENDS ${source} DEPFILE ${module}.d COMMENT "Bitcode: ${name}" VERBATIM)
    list(APPEND modules ${module})
  endforeach()
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/bitcode")
  add_custom_command(OUTPUT ${WEIR_KIT_DIR}/helpers.bc
    COMMAND ${WEIR_LLVM_LINK} -o ${WEIR_KIT_DIR}/helpers.bc ${modules}
    DEPENDS ${modules} COMMENT "Kit: helpers.bc" VERBATIM)
  list(APPEND kit_outputs ${WEIR_KIT_DIR}/helpers.bc)
endif()

add_custom_target(weir_kit ALL DEPENDS ${kit_outputs})
add_dependencies(weir weir_kit)
