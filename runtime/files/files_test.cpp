#include "runtime/files/files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "runtime/files/faulty.h"
#include "runtime/files/lossy.h"
#include "runtime/files/test_folder.h"

namespace weir::files {
namespace {

void put(Files& files, const std::string& path, std::string_view text,
         OpenMode mode = OpenMode::create_or_empty) {
  auto file = files.open(path, mode);
  ASSERT_TRUE(file) << file.error().to_string();
  ASSERT_TRUE((*file)->append(text));
}

void sync(Files& files, const std::string& path) {
  auto file = files.open(path, OpenMode::update);
  ASSERT_TRUE(file) << file.error().to_string();
  ASSERT_TRUE((*file)->sync());
}

std::string get(Files& files, const std::string& path) {
  auto text = read_whole(files, path);
  return text ? *text : "(" + std::string(info(text.error().error()).name) + ")";
}

std::string names(Files& files, const std::string& path) {
  auto entries = files.list(path);
  if (!entries) return "(" + std::string(info(entries.error().error()).name) + ")";
  std::string text;
  for (const Entry& entry : *entries) text += entry.name + (entry.kind == Kind::folder ? "/ " : " ");
  return text;
}

/// Every implementation behaves the same to the process that uses it.
class EachFiles : public testing::TestWithParam<std::unique_ptr<Files> (*)()> {
 protected:
  std::unique_ptr<Files> files_ = GetParam()();
  TestFolder folder_;
};

TEST_P(EachFiles, ReadsWhatWasWritten) {
  std::string path = folder_ / "f";
  auto file = files_->open(path, OpenMode::create_new);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->append("hello "));
  ASSERT_TRUE((*file)->append("world"));
  EXPECT_EQ(get(*files_, path), "hello world");
  ASSERT_TRUE((*file)->sync_data());
  ASSERT_TRUE((*file)->append("!"));
  ASSERT_TRUE((*file)->write_at(0, "J"));
  ASSERT_TRUE((*file)->write_at(10, "D?+"));
  EXPECT_EQ(get(*files_, path), "Jello worlD?+");
  EXPECT_EQ(*(*file)->size(), 13u);
  char buffer[4];
  EXPECT_EQ(*(*file)->read_at(9, buffer), 4u);
  EXPECT_EQ(std::string_view(buffer, 4), "lD?+");
  EXPECT_EQ(*(*file)->read_at(12, buffer), 1u);
  EXPECT_EQ(*(*file)->read_at(13, buffer), 0u);
  ASSERT_TRUE((*file)->truncate(3));
  EXPECT_EQ(get(*files_, path), "Jel");
  ASSERT_TRUE((*file)->append("ly"));
  ASSERT_TRUE((*file)->sync());
  EXPECT_EQ(get(*files_, path), "Jelly");
  ASSERT_TRUE((*file)->truncate(7));
  EXPECT_EQ(get(*files_, path), std::string("Jelly\0\0", 7));
}

TEST_P(EachFiles, OpenModes) {
  std::string path = folder_ / "f";
  EXPECT_TRUE(files_->open(path, OpenMode::read).error().is(RunError::file_not_found));
  EXPECT_TRUE(files_->open(path, OpenMode::update).error().is(RunError::file_not_found));
  EXPECT_TRUE(files_->open(folder_ / "no/f", OpenMode::create_new).error().is(RunError::file_not_found));
  put(*files_, path, "one", OpenMode::create_new);
  EXPECT_TRUE(files_->open(path, OpenMode::create_new).error().is(RunError::file_exists));
  put(*files_, path, "two", OpenMode::create_or_update);
  EXPECT_EQ(get(*files_, path), "onetwo");
  put(*files_, path, "three", OpenMode::create_or_empty);
  EXPECT_EQ(get(*files_, path), "three");
}

TEST_P(EachFiles, NamesAndLinks) {
  put(*files_, folder_ / "a", "A");
  put(*files_, folder_ / "b", "B");
  ASSERT_TRUE(files_->link(folder_ / "a", folder_ / "c"));
  EXPECT_EQ((*files_->stat(folder_ / "c"))->links, 2u);
  EXPECT_EQ((*files_->stat(folder_ / "c"))->inode, (*files_->stat(folder_ / "a"))->inode);
  EXPECT_TRUE(files_->link(folder_ / "a", folder_ / "b").error().is(RunError::file_exists));
  EXPECT_TRUE(files_->link(folder_ / "no", folder_ / "d").error().is(RunError::file_not_found));
  put(*files_, folder_ / "c", "+", OpenMode::update);
  EXPECT_EQ(get(*files_, folder_ / "a"), "A+");
  ASSERT_TRUE(files_->rename(folder_ / "b", folder_ / "c"));
  EXPECT_EQ(get(*files_, folder_ / "c"), "B");
  EXPECT_EQ((*files_->stat(folder_ / "a"))->links, 1u);
  EXPECT_EQ(names(*files_, folder_.path()), "a c ");
  ASSERT_TRUE(files_->unlink(folder_ / "a"));
  EXPECT_TRUE(files_->unlink(folder_ / "a").error().is(RunError::file_not_found));
  EXPECT_FALSE(*files_->stat(folder_ / "a"));
  EXPECT_FALSE(*files_->stat(folder_ / "a/b/c"));
  EXPECT_EQ(names(*files_, folder_.path()), "c ");
}

TEST_P(EachFiles, AnUnlinkedFileStaysReadable) {
  put(*files_, folder_ / "a", "A");
  auto file = files_->open(folder_ / "a", OpenMode::update);
  ASSERT_TRUE(files_->unlink(folder_ / "a"));
  ASSERT_TRUE(files_->sync_folder(folder_.path()));
  ASSERT_TRUE((*file)->append("B"));
  ASSERT_TRUE((*file)->sync());
  char buffer[2];
  EXPECT_EQ(*(*file)->read_at(0, buffer), 2u);
  EXPECT_EQ(std::string_view(buffer, 2), "AB");
}

TEST_P(EachFiles, Folders) {
  ASSERT_TRUE(make_folders(*files_, folder_ / "x/y/z"));
  ASSERT_TRUE(make_folders(*files_, folder_ / "x/y/z"));
  EXPECT_TRUE(files_->make_folder(folder_ / "x").error().is(RunError::file_exists));
  put(*files_, folder_ / "x/y/f", "F");
  EXPECT_EQ(names(*files_, folder_ / "x/y"), "f z/ ");
  EXPECT_TRUE(files_->remove_folder(folder_ / "x/y").error().is(RunError::file_exists));
  ASSERT_TRUE(files_->rename(folder_ / "x/y", folder_ / "w"));
  EXPECT_EQ(get(*files_, folder_ / "w/f"), "F");
  EXPECT_EQ(get(*files_, folder_ / "x/y/f"), "(file_not_found)");
  put(*files_, folder_ / "w/z/g", "G");
  ASSERT_TRUE(files_->sync_folder(folder_ / "w/z"));
  ASSERT_TRUE(files_->sync_folder(folder_ / "w"));
  ASSERT_TRUE(files_->sync_folder(folder_.path()));
  ASSERT_TRUE(files_->sync_folder(folder_ / "x"));
  EXPECT_EQ(names(*files_, folder_.path()), "w/ x/ ");
  EXPECT_EQ(get(*files_, folder_ / "w/z/g"), "G");
  EXPECT_EQ((*files_->stat(folder_ / "w"))->kind, Kind::folder);
  ASSERT_TRUE(remove_tree(*files_, folder_ / "w"));
  ASSERT_TRUE(remove_tree(*files_, folder_ / "w"));
  EXPECT_EQ(names(*files_, folder_.path()), "x/ ");
  EXPECT_EQ(names(*files_, folder_ / "w"), "(file_not_found)");
}

TEST_P(EachFiles, LockKeepsOthersOutAndSaysWho) {
  auto held = files_->lock(folder_ / "LOCK", "pid 12 on here");
  ASSERT_TRUE(held);
  auto refused = GetParam()()->lock(folder_ / "LOCK", "pid 13");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(RunError::already_running));
  EXPECT_EQ(refused.error().message(), "pid 12 on here");
  held->reset();
  EXPECT_TRUE(files_->lock(folder_ / "LOCK", "pid 14"));
}

TEST_P(EachFiles, ChecksumOfAPrefix) {
  put(*files_, folder_ / "f", "123456789abc");
  EXPECT_EQ(*checksum(*files_, folder_ / "f", 9), (Checksum{9, 0xe3069283u}));
  EXPECT_EQ(checksum(*files_, folder_ / "f")->length, 12u);
}

INSTANTIATE_TEST_SUITE_P(Files, EachFiles, testing::Values(&make_system_files, &make_lossy_files),
                         [](const auto& parameter) { return parameter.index == 0 ? "System" : "Lossy"; });

// ---- what a kill leaves

/// Runs `work` with lossy files in a child that is then killed.
void then_killed(const std::function<void(Files&)>& work) {
  pid_t child = ::fork();
  if (child == 0) {
    auto files = make_lossy_files();
    work(*files);
    if (testing::Test::HasFailure()) ::_exit(1);
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed";
}

class Killed : public testing::Test {
 protected:
  TestFolder folder_;
  std::unique_ptr<Files> disk_ = make_system_files();
};

TEST_F(Killed, AFileWithoutAnySyncIsGone) {
  then_killed([&](Files& files) { put(files, folder_ / "f", "x"); });
  EXPECT_EQ(names(*disk_, folder_.path()), "");
}

TEST_F(Killed, SyncOfTheFileAloneKeepsNoName) {
  then_killed([&](Files& files) {
    put(files, folder_ / "f", "x");
    sync(files, folder_ / "f");
  });
  EXPECT_EQ(names(*disk_, folder_.path()), "");
}

TEST_F(Killed, SyncOfTheFolderAloneKeepsNoContents) {
  then_killed([&](Files& files) {
    put(files, folder_ / "f", "x");
    EXPECT_TRUE(files.sync_folder(folder_.path()));
  });
  EXPECT_EQ(get(*disk_, folder_ / "f"), "");
}

TEST_F(Killed, BothSyncsKeepBothAndNothingLater) {
  then_killed([&](Files& files) {
    put(files, folder_ / "f", "kept");
    sync(files, folder_ / "f");
    EXPECT_TRUE(files.sync_folder(folder_.path()));
    put(files, folder_ / "f", " lost", OpenMode::update);
    EXPECT_EQ(get(files, folder_ / "f"), "kept lost");
  });
  EXPECT_EQ(get(*disk_, folder_ / "f"), "kept");
}

TEST_F(Killed, ChangesOfAnExistingFileNeedItsSyncOnly) {
  put(*disk_, folder_ / "f", "0123456789");
  then_killed([&](Files& files) {
    auto file = files.open(folder_ / "f", OpenMode::update);
    EXPECT_TRUE((*file)->truncate(5));
    EXPECT_TRUE((*file)->write_at(1, "X"));
    EXPECT_TRUE((*file)->append("Y"));
    EXPECT_TRUE((*file)->sync());
    EXPECT_TRUE((*file)->truncate(0));
    EXPECT_TRUE((*file)->append("Z"));
  });
  EXPECT_EQ(get(*disk_, folder_ / "f"), "0X234Y");
}

TEST_F(Killed, UnlinkRenameAndLinkNeedTheFoldersSync) {
  put(*disk_, folder_ / "a", "A");
  put(*disk_, folder_ / "b", "B");
  put(*disk_, folder_ / "c", "C");
  auto change = [&](Files& files) {
    EXPECT_TRUE(files.unlink(folder_ / "a"));
    EXPECT_TRUE(files.rename(folder_ / "b", folder_ / "d"));
    EXPECT_TRUE(files.link(folder_ / "c", folder_ / "e"));
    EXPECT_EQ(names(files, folder_.path()), "c d e ");
  };
  then_killed(change);
  EXPECT_EQ(names(*disk_, folder_.path()), "a b c ");
  then_killed([&](Files& files) {
    change(files);
    EXPECT_TRUE(files.sync_folder(folder_.path()));
  });
  EXPECT_EQ(names(*disk_, folder_.path()), "c d e ");
  EXPECT_EQ(get(*disk_, folder_ / "d") + get(*disk_, folder_ / "e"), "BC");
}

TEST_F(Killed, RenameOverReplacesOnlyOnSync) {
  put(*disk_, folder_ / "CURRENT", "old");
  auto change = [&](Files& files) {
    put(files, folder_ / "t", "new");
    sync(files, folder_ / "t");
    EXPECT_TRUE(files.rename(folder_ / "t", folder_ / "CURRENT"));
    EXPECT_EQ(get(files, folder_ / "CURRENT"), "new");
  };
  then_killed(change);
  EXPECT_EQ(names(*disk_, folder_.path()) + get(*disk_, folder_ / "CURRENT"), "CURRENT old");
  then_killed([&](Files& files) {
    change(files);
    EXPECT_TRUE(files.sync_folder(folder_.path()));
  });
  EXPECT_EQ(names(*disk_, folder_.path()) + get(*disk_, folder_ / "CURRENT"), "CURRENT new");
}

TEST_F(Killed, AFolderIsThereOnceItsParentIsSynced) {
  auto change = [&](Files& files, bool inner, bool outer) {
    EXPECT_TRUE(files.make_folder(folder_ / "x"));
    put(files, folder_ / "x/f", "F");
    sync(files, folder_ / "x/f");
    if (inner) {
      EXPECT_TRUE(files.sync_folder(folder_ / "x"));
    }
    put(files, folder_ / "x/g", "G");
    if (outer) {
      EXPECT_TRUE(files.sync_folder(folder_.path()));
    }
    EXPECT_EQ(names(files, folder_ / "x"), "f g ");
  };
  then_killed([&](Files& files) { change(files, true, false); });
  EXPECT_EQ(names(*disk_, folder_.path()), "");
  then_killed([&](Files& files) { change(files, true, true); });
  EXPECT_EQ(names(*disk_, folder_ / "x"), "f ");
  ASSERT_TRUE(remove_tree(*disk_, folder_ / "x"));
  then_killed([&](Files& files) { change(files, false, true); });
  EXPECT_EQ(names(*disk_, folder_ / "x"), "");
}

TEST_F(Killed, AFolderRenamedAndRemoved) {
  ASSERT_TRUE(make_folders(*disk_, folder_ / "t/s"));
  put(*disk_, folder_ / "t/s/f", "F");
  auto move = [&](Files& files) {
    EXPECT_TRUE(files.rename(folder_ / "t", folder_ / "u"));
    EXPECT_EQ(get(files, folder_ / "u/s/f"), "F");
  };
  then_killed(move);
  EXPECT_EQ(names(*disk_, folder_.path()), "t/ ");
  then_killed([&](Files& files) {
    move(files);
    EXPECT_TRUE(files.sync_folder(folder_.path()));
    EXPECT_EQ(get(files, folder_ / "u/s/f"), "F");
  });
  EXPECT_EQ(names(*disk_, folder_.path()), "u/ ");
  then_killed([&](Files& files) { EXPECT_TRUE(remove_tree(files, folder_ / "u")); });
  EXPECT_EQ(get(*disk_, folder_ / "u/s/f"), "F");
  then_killed([&](Files& files) {
    EXPECT_TRUE(remove_tree(files, folder_ / "u"));
    EXPECT_TRUE(files.sync_folder(folder_.path()));
  });
  EXPECT_EQ(names(*disk_, folder_.path()), "");
}

TEST_F(Killed, AFolderTakesTheNameOfOneThatMovedAway) {
  ASSERT_TRUE(make_folders(*disk_, folder_ / "log/a"));
  put(*disk_, folder_ / "log/a/f", "F");
  then_killed([&](Files& files) {
    EXPECT_TRUE(files.rename(folder_ / "log", folder_ / "log.old"));
    EXPECT_TRUE(make_folders(files, folder_ / "log/a"));
    EXPECT_EQ(get(files, folder_ / "log.old/a/f"), "F");
  });
  EXPECT_EQ(names(*disk_, folder_.path()), "log/ log.old/ ");
  EXPECT_EQ(get(*disk_, folder_ / "log.old/a/f"), "F");
  EXPECT_EQ(names(*disk_, folder_ / "log/a"), "");
}

TEST_F(Killed, AFileMovedOutOfItsLastDurableName) {
  ASSERT_TRUE(make_folders(*disk_, folder_ / "x"));
  put(*disk_, folder_ / "x/f", "F");
  then_killed([&](Files& files) {
    EXPECT_TRUE(files.link(folder_ / "x/f", folder_ / "g"));
    EXPECT_TRUE(files.unlink(folder_ / "x/f"));
    EXPECT_TRUE(files.sync_folder(folder_ / "x"));
    EXPECT_TRUE(files.sync_folder(folder_.path()));
  });
  EXPECT_EQ(names(*disk_, folder_ / "x") + get(*disk_, folder_ / "g"), "F");
}

/// A random history of operations: after a kill the disk shows, for every file and folder, exactly its last sync.
TEST_F(Killed, ModelOfARandomHistory) {
  struct Model {
    std::map<std::string, int> view, durable;  // name -> file
    std::map<int, std::string> contents, synced;
  };
  for (unsigned seed = 0; seed < 60; ++seed) {
    TestFolder place;
    Model model;
    // The child does the same steps as the model; both are functions of the seed.
    auto run = [&](Files* files) {
      model = {};
      unsigned state = seed * 2654435761u + 1;
      auto next = [&](unsigned below) {
        return (state = state * 1664525u + 1013904223u, (state >> 8) % below);
      };
      int made = 0;
      for (unsigned steps = 20 + next(40); steps > 0; --steps) {
        std::string name(1, static_cast<char>('a' + next(4)));
        std::string other(1, static_cast<char>('a' + next(4)));
        std::string path = place / name;
        bool known = model.view.contains(name);
        switch (next(7)) {
          case 0:
            if (!known) {
              if (files) put(*files, path, "", OpenMode::create_new);
              model.view[name] = ++made;
              model.contents[made] = model.synced[made] = "";
            }
            break;
          case 1:
          case 2:
            if (known) {
              std::string text(1 + next(3), static_cast<char>('0' + next(10)));
              if (files) put(*files, path, text, OpenMode::update);
              model.contents[model.view[name]] += text;
            }
            break;
          case 3:
            if (known) {
              if (files) sync(*files, path);
              model.synced[model.view[name]] = model.contents[model.view[name]];
            }
            break;
          case 4:
            if (known && name != other &&
                !(model.view.contains(other) && model.view[other] == model.view[name])) {
              if (files) {
                EXPECT_TRUE(files->rename(path, place / other));
              }
              model.view[other] = model.view[name];
              model.view.erase(name);
            }
            break;
          case 5:
            if (known && next(2)) {
              if (files) {
                EXPECT_TRUE(files->unlink(path));
              }
              model.view.erase(name);
            } else if (known && !model.view.contains(other)) {
              if (files) {
                EXPECT_TRUE(files->link(path, place / other));
              }
              model.view[other] = model.view[name];
            }
            break;
          default:
            if (files) {
              EXPECT_TRUE(files->sync_folder(place.path()));
            }
            model.durable = model.view;
        }
        if (!files) continue;
        for (const auto& [seen, file] : model.view)
          EXPECT_EQ(get(*files, place / seen), model.contents[file]);
      }
    };
    then_killed([&](Files& files) { run(&files); });
    run(nullptr);
    std::string expected;
    for (const auto& [name, file] : model.durable) {
      expected += name + " ";
      EXPECT_EQ(get(*disk_, place / name), model.synced[file]) << "seed " << seed << " file " << name;
    }
    EXPECT_EQ(names(*disk_, place.path()), expected) << "seed " << seed;
  }
}

// ---- faults

TEST(Faulty, TheNthOperationFails) {
  TestFolder folder;
  auto plan = parse_fault_plan("sync@2:EIO");
  ASSERT_TRUE(plan);
  auto files = make_faulty_files(make_system_files(), *plan);
  auto file = files->open(folder / "f", OpenMode::create_new);
  EXPECT_TRUE((*file)->sync());
  auto failed = (*file)->sync_data();
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is(RunError::sync_failed));
  EXPECT_EQ(failed.error().system_error(), EIO);
  EXPECT_TRUE((*file)->sync());
}

TEST(Faulty, ATornWriteLeavesHalf) {
  TestFolder folder;
  auto files = make_faulty_files(make_system_files(), *parse_fault_plan("append@1:torn"));
  auto file = files->open(folder / "f", OpenMode::create_new);
  EXPECT_FALSE((*file)->append("123456"));
  EXPECT_EQ(get(*files, folder / "f"), "123");
}

TEST(Faulty, FromSomePointOnTheDiskIsFull) {
  TestFolder folder;
  auto files = make_faulty_files(make_system_files(), *parse_fault_plan("any@2+:ENOSPC"));
  auto file = files->open(folder / "f", OpenMode::create_new);
  EXPECT_TRUE((*file)->append("x").error().is(RunError::disk_full));
  EXPECT_TRUE(files->link(folder / "f", folder / "g").error().is(RunError::disk_full));
}

TEST(Faulty, OrdersThatAreNotUnderstood) {
  for (const char* text : {"", "sync", "sync@0:EIO", "sync@1", "sink@1:EIO", "sync@1:E", "sync@x:EIO", ":@"})
    EXPECT_FALSE(parse_fault_plan(text)) << text;
}

TEST(Paths, Parent) {
  EXPECT_EQ(parent_folder("/a/b"), "/a");
  EXPECT_EQ(parent_folder("/a//b/"), "/a");
  EXPECT_EQ(parent_folder("/a"), "/");
  EXPECT_EQ(parent_folder("/"), "/");
  EXPECT_EQ(parent_folder("a"), ".");
  EXPECT_EQ(join("/", "a") + join("b/", "c") + join("b", "c"), "/ab/cb/c");
}

}  // namespace
}  // namespace weir::files
