// The promise that a suggested edit parses and checks, kept by trying each: the edited script is checked again.
#pragma once

#include <string>

#include "compiler/driver/front.h"

namespace weir::driver {

// Keeps of all suggestions those after which their finding is gone and no error is new. One that only uncovers errors
// elsewhere becomes advice without an edit; one that makes a new error where it edits is dropped. `script` is the path
// under which the first module was read. Costs one check of the script for each suggestion, of 50 at most and of 2 MiB
// of text in all; beyond that, and in scripts of more than 256 KiB, suggestions become advice.
void keep_sound_suggestions(Front& front, const std::string& script);

// The script with the only suggestion of each of its findings applied, as long as no error is new; `applied` counts
// the edits. Only the script's own text changes, not the files that it uses. The suggestions must be sound.
std::string fixed_script(const Front& front, const std::string& script, int& applied);

}  // namespace weir::driver
