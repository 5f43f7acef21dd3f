//===- MeasureInChild.cpp - Candidates in a process of their own ----------===//
//
// Two pipes to a forked process, which is killed when it does not answer in time, and started anew
// for the next candidate.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lci;

namespace {
class ChildMeasurer final : public Measurer {
public:
  ChildMeasurer(Subject subject, std::vector<std::string> schedules, double seconds)
      : subject(std::move(subject)), schedules(std::move(schedules)), seconds(seconds) {}
  ~ChildMeasurer() override { end(); }

  Result<Sample> run(size_t candidate, int64_t epochs, bool wantsDigest) override;

private:
  Status begin();
  void end();
  /// Ends the process, and says why it gave no answer.
  Failure explain(bool isLate, double limit);

  Subject subject;
  std::vector<std::string> schedules;
  double seconds;
  pid_t child = -1;
  int requests = -1, replies = -1;
};
} // namespace

Status ChildMeasurer::begin() {
  int down[2] = {-1, -1}, up[2] = {-1, -1};
  child = pipe(down) == 0 && pipe(up) == 0 ? fork() : -1;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // with the search
    close(down[1]);
    close(up[0]);
    serve(subject, schedules, down[0], up[1]);
  }
  for (int theirs : {down[0], up[1]})
    if (theirs != -1)
      close(theirs);
  requests = down[1];
  replies = up[0];
  if (child > 0)
    return Done();
  end();
  return Failure{ErrorId::NoMemory, "no process can be started to measure candidates"};
}

void ChildMeasurer::end() {
  for (int *file : {&requests, &replies})
    if (*file != -1)
      close(std::exchange(*file, -1));
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  child = -1;
}

Failure ChildMeasurer::explain(bool isLate, double limit) {
  int status = 0;
  bool isDead = waitpid(child, &status, isLate ? WNOHANG : 0) == child;
  std::string reason = "exited: " + std::to_string(WEXITSTATUS(status));
  if (isDead)
    child = -1;
  if (isDead && WIFSIGNALED(status))
    reason = std::string("was killed: ") + strsignal(WTERMSIG(status));
  else if (!isDead)
    reason = "took more than " + std::to_string(static_cast<int64_t>(limit)) + " seconds";
  end();
  return {ErrorId::OutOfTime, reason};
}

Result<Sample> ChildMeasurer::run(size_t candidate, int64_t epochs, bool wantsDigest) {
  if (child == -1)
    if (Status begun = begin(); !begun)
      return begun.failure();
  std::signal(SIGPIPE, SIG_IGN); // a process that has died is reported below
  double limit = candidate == kInterpreter ? std::min(seconds, kInterpreterSeconds) : seconds;
  Request request{candidate, epochs, wantsDigest};
  Reply reply{};
  if (!writeAll(requests, &request, sizeof request))
    return explain(/*isLate=*/false, limit);
  auto start = std::chrono::steady_clock::now();
  if (!readAll(replies, &reply, sizeof reply, limit)) {
    std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    return explain(waited.count() >= limit, limit);
  }
  std::string text(reply.textSize, '\0');
  if (!readAll(replies, text.data(), text.size(), seconds))
    return explain(/*isLate=*/false, limit);
  if (!reply.isGood)
    return Failure{ErrorId::CannotCompile, text};
  return Sample{reply.seconds, text};
}

std::unique_ptr<Measurer> lci::measureInChild(Subject subject, std::vector<std::string> schedules,
                                              double seconds) {
  return std::make_unique<ChildMeasurer>(std::move(subject), std::move(schedules), seconds);
}
