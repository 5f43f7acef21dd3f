//===- Role.h - Roles of the arguments of compiled functions ----*- C++ -*-===//
//
// The attribute `lci.role` of an argument says what a caller puts there or finds there. Lowering
// writes it, the interpreter and the runtime fill arguments by it. Roles.def lists all of them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_RUNTIME_ROLE_H
#define LCI_RUNTIME_ROLE_H

#include <optional>
#include <string_view>

namespace lci {

enum class Role {
  None, ///< an argument that is no part of the interface
#define LCI_ROLE(ID, WORD, FORM) ID,
#include "LCI/Runtime/Roles.def"
};

/// What an argument with a role is: an array, an i64, an i1, or any of them.
enum class RoleForm { Any, Array, Integer, Flag };

struct RoleEntry {
  Role role;
  std::string_view word;
  RoleForm form;
};

/// All roles but `None`, in the order of Roles.def.
inline constexpr RoleEntry kRoles[] = {
#define LCI_ROLE(ID, WORD, FORM) {Role::ID, WORD, RoleForm::FORM},
#include "LCI/Runtime/Roles.def"
};

/// The word for a role; an empty one for `None`.
constexpr std::string_view roleWord(Role role) {
  return role == Role::None ? "" : kRoles[static_cast<int>(role) - 1].word;
}

constexpr RoleForm roleForm(Role role) {
  return role == Role::None ? RoleForm::Any : kRoles[static_cast<int>(role) - 1].form;
}

/// Whether an argument holds a value of the program.
constexpr bool isValueRole(Role role) { return role == Role::State || role == Role::Input; }

/// The role that a word says, `None` for an empty one; nothing for other words.
constexpr std::optional<Role> findRole(std::string_view word) {
  if (word.empty())
    return Role::None;
  for (const RoleEntry &entry : kRoles)
    if (entry.word == word)
      return entry.role;
  return std::nullopt;
}

} // namespace lci

#endif // LCI_RUNTIME_ROLE_H
