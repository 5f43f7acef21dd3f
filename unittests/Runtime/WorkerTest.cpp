//===- WorkerTest.cpp - Tasks run sequentially ----------------------------===//

#include "Worker.h"
#include "gtest/gtest.h"
#include <vector>

using namespace lci;

TEST(Worker, DoesOneThingAfterTheOther) {
  std::vector<int> done;
  {
    Worker worker;
    for (int i = 0; i < 1000; ++i)
      worker.enqueue([&done, i] { done.push_back(i); });
    worker.wait();
    EXPECT_EQ(done.size(), 1000u);
    worker.enqueue([&done] { done.push_back(1000); });
  }
  ASSERT_EQ(done.size(), 1001u); // tasks added before the end are done
  for (int i = 0; i <= 1000; ++i)
    EXPECT_EQ(done[static_cast<size_t>(i)], i);
}

TEST(Worker, NothingToDoIsNoReasonToWait) { Worker().wait(); }
