#include "runtime/entry/start.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>

#include "runtime/entry/harness.h"

// The program as its user meets it: flags, messages, exit codes, signals.
namespace weir::entry::fake {
namespace {

struct Process {
  pid_t id = -1;
  int out = -1;  // read end of its standard output
};

/// Runs the program in a child; standard error goes to the file `messages`.
Process begin(Harness& harness, std::vector<std::string> arguments) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  Process process;
  process.id = ::fork();
  if (process.id == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    int messages = ::open(harness.path("messages").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(messages, STDERR_FILENO);
    std::string text = plan_text(harness.plan());
    weir_program_t program = code(text);
    arguments.insert(arguments.begin(), {"app", "--state", harness.path("state")});
    std::vector<const char*> words;
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    ::_exit(start(program, static_cast<int>(words.size()), words.data()));
  }
  ::close(ends[1]);
  process.out = ends[0];
  return process;
}

int finish(const Process& process) {
  int status = 0;
  ::waitpid(process.id, &status, 0);
  ::close(process.out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string read_all(int descriptor) {
  std::string all;
  char chunk[4096];
  for (ssize_t got; (got = ::read(descriptor, chunk, sizeof chunk)) > 0;)
    all.append(chunk, static_cast<std::size_t>(got));
  return all;
}

bool wait_for(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 1000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(start, says_what_happened_and_writes_a_summary) {
  Harness harness;
  harness.plan().view = true;
  harness.input("a0", "a 1 2\nb 2 4\nbroken\na 40 5\n");
  harness.input("b0", "");
  Process process = begin(harness, {"--parallelism=2", "--summary", harness.path("summary.json")});
  std::string out = read_all(process.out);
  EXPECT_EQ(finish(process), 0);
  EXPECT_EQ(out, "a 2\nb 4\n");
  std::string messages = Harness::read(harness.path("messages"));
  EXPECT_NE(messages.find("pipeline fake, lineage "), std::string::npos) << messages;
  EXPECT_NE(messages.find("new run"), std::string::npos) << messages;
  EXPECT_NE(messages.find("source a: 4 read, 0 late, 1 rejected, 0 dropped"), std::string::npos) << messages;
  EXPECT_NE(messages.find("sink sums: 3 rows, "), std::string::npos) << messages;
  EXPECT_NE(messages.find("sink evens: 2 rows to standard output, without guarantee"), std::string::npos)
      << messages;
  auto summary = nlohmann::json::parse(Harness::read(harness.path("summary.json")));
  EXPECT_EQ(summary["sources"][0]["read"], 4);
  EXPECT_EQ(summary["exit"], 0);
  EXPECT_EQ(summary["workers"].size(), 2u);

  Process again = begin(harness, {});
  read_all(again.out);
  EXPECT_EQ(finish(again), 0);
  messages = Harness::read(harness.path("messages"));
  EXPECT_NE(messages.find("resumed from checkpoint"), std::string::npos) << messages;
  EXPECT_NE(messages.find("0 new records; --fresh starts over"), std::string::npos) << messages;

  Process fresh = begin(harness, {"--fresh"});
  read_all(fresh.out);
  EXPECT_EQ(finish(fresh), 2);
  messages = Harness::read(harness.path("messages"));
  EXPECT_NE(messages.find(harness.path("out/sums")), std::string::npos) << messages;
  auto before = harness.published();

  Process replaced = begin(harness, {"--fresh", "--replace-output"});
  read_all(replaced.out);
  EXPECT_EQ(finish(replaced), 0) << Harness::read(harness.path("messages"));
  EXPECT_EQ(difference(before, harness.published()), "");
}

// C076: the same pipeline twice by mistake, then on purpose; the older one has no input that would make it decide.
TEST(start, C076_an_idle_run_stops_soon_after_it_was_taken_over) {
  Harness harness;
  harness.plan().follow = true;
  harness.input("a0", "a 1 1\na 2 1\n");
  harness.input("b0", "");
  Process older = begin(harness, {"--checkpoint=5ms"});
  ASSERT_TRUE(wait_for([&] { return std::filesystem::exists(harness.path("state/checkpoints/1-1")); }));
  Process refused = begin(harness, {});
  EXPECT_EQ(finish(refused), 1);
  std::string said = Harness::read(harness.path("messages"));
  EXPECT_NE(said.find(fmt::format("pid {} on ", older.id)), std::string::npos) << said;
  Process newer = begin(harness, {"--take-over", "--checkpoint=5ms"});
  int status = 0;
  EXPECT_TRUE(wait_for([&] { return ::waitpid(older.id, &status, WNOHANG) == older.id; }));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 4) << status;
  ::close(older.out);
  ::kill(newer.id, SIGTERM);
  EXPECT_EQ(finish(newer), 0) << Harness::read(harness.path("messages"));
}

// C069: a signal stops with a last epoch; what is open stays in state.
TEST(start, C069_a_signal_stops_and_the_next_start_goes_on) {
  Harness harness;
  harness.plan().follow = true;
  harness.input("a0", "a 1 1\na 2 1\n");
  harness.input("b0", "");
  Process process = begin(harness, {"--checkpoint=5ms", "--parallelism=2"});
  ASSERT_TRUE(wait_for([&] { return std::filesystem::exists(harness.path("state/checkpoints/1-1")); }));
  ::kill(process.id, SIGTERM);
  EXPECT_EQ(finish(process), 0) << Harness::read(harness.path("messages"));
  EXPECT_TRUE(harness.published()["sums"].empty());
  harness.append("a0", "a 3 1\na 90 1\n");
  harness.append("b0", "b 90 1\n");
  Process second = begin(harness, {"--until-end"});
  EXPECT_EQ(finish(second), 0) << Harness::read(harness.path("messages"));
  EXPECT_EQ(harness.published()["sums"]["a 0 3 3 1\n"], 1) << Harness::read(harness.path("messages"));
}

TEST(start, C069_a_blocked_stop_ends_at_its_deadline_and_names_what_blocks) {
  for (bool second_signal : {false, true}) {
    Harness harness;
    harness.plan().view = true;
    std::string lines;
    for (int line = 0; line < 50000; ++line) lines += fmt::format("key {} 2\n", line);
    harness.input("a0", lines);
    harness.input("b0", "");
    Process process =
        begin(harness, {"--checkpoint=20ms", second_signal ? "--stop-within=60s" : "--stop-within=300ms"});
    // Nobody reads its standard output: the worker blocks when the pipe is full.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(process.id, SIGTERM);
    if (second_signal) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      ::kill(process.id, SIGTERM);
    }
    EXPECT_EQ(finish(process), 1);
    std::string messages = Harness::read(harness.path("messages"));
    EXPECT_NE(messages.find("blocked in: waiting for barrier"), std::string::npos) << messages;
    EXPECT_NE(messages.find("in worker"), std::string::npos) << messages;
  }
}

TEST(start, a_failing_record_is_exit_code_1_with_its_place) {
  Harness harness;
  harness.plan().on_error = "fail";
  std::string file = harness.input("a0", "a 1 2\nbroken\n");
  harness.input("b0", "");
  EXPECT_EQ(finish(begin(harness, {})), 1);
  std::string messages = Harness::read(harness.path("messages"));
  EXPECT_NE(messages.find("E5001"), std::string::npos) << messages;
  EXPECT_NE(messages.find(file + ":2 (byte 6)"), std::string::npos) << messages;
}

}  // namespace
}  // namespace weir::entry::fake
