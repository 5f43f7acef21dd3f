//===- Switches.cpp - Enabled rules and constraints -----------------------===//
#include "LCI/Runtime/Switches.h"
#include <algorithm>
#include <sstream>

using namespace lci;

bool lci::haveSame(const std::map<std::string, bool> &left,
                   const std::map<std::string, bool> &right) {
  for (const std::map<std::string, bool> *states : {&left, &right})
    for (const auto &[name, on] : *states)
      if (lci::isOn(left, name) != lci::isOn(right, name))
        return false;
  return true;
}

bool Switches::isOn(const std::string &name) const {
  auto known = tags.find(name);
  if (known == tags.end())
    return true;
  for (const auto &[tag, counts] : known->second)
    if (counts)
      return true;
  return false;
}

void Switches::switchTo(const std::string &name, bool on, uint64_t replica) {
  if (isOn(name) == on)
    return;
  on ? switchOn(name, replica) : switchOff(name);
}

void Switches::switchOn(const std::string &name, uint64_t replica) {
  uint64_t latest = 0;
  for (const auto &[known, all] : tags)
    for (const auto &[tag, counts] : all)
      latest = std::max(latest, tag.first);
  tags[name].insert({{0, 0}, true});
  tags[name].insert({{latest + 1, replica}, true});
}

void Switches::switchOff(const std::string &name) {
  tags[name].insert({{0, 0}, true});
  for (auto &[tag, counts] : tags[name])
    counts = false;
}

std::map<std::string, bool> Switches::states() const {
  std::map<std::string, bool> all;
  for (const auto &[name, known] : tags)
    all[name] = isOn(name);
  return all;
}

// S-SWITCH: a tag counts unless it was struck.
void Switches::join(const Switches &other) {
  for (const auto &[name, all] : other.tags)
    for (const auto &[tag, counts] : all) {
      auto [known, isNew] = tags[name].insert({tag, counts});
      known->second = known->second && counts;
    }
}

std::string Switches::text() const {
  std::ostringstream lines;
  for (const auto &[name, all] : tags)
    for (const auto &[tag, counts] : all)
      lines << name << ' ' << tag.first << ' ' << tag.second << ' ' << (counts ? "on" : "off")
            << '\n';
  return lines.str();
}

Result<Switches> Switches::parse(const std::string &text) {
  Switches switches;
  std::istringstream lines(text);
  std::string name, state;
  Tag tag;
  while (lines >> name) {
    if (!(lines >> tag.first >> tag.second >> state) || (state != "on" && state != "off"))
      return Failure{ErrorId::MalformedFile,
                     "expected a tag and 'on' or 'off' for the switch '" + name + "'"};
    switches.tags[name][tag] = state == "on";
  }
  return switches;
}
