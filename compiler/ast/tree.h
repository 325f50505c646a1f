// Owner of all nodes of one compilation, whatever file they come from. Nodes refer to each other by raw pointers that live as
// long as the tree; destruction is a flat loop, so that depth costs no stack. Not thread safe.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace weir::ast {

class Tree {
 public:
  Tree() = default;
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

  // Makes a node and gives it the next id. T must have an `int id`.
  template <typename T, typename... Args>
  T* make(Args&&... args) {
    auto node = std::make_unique<Holder<T>>(std::forward<Args>(args)...);
    T* result = &node->value;
    result->id = static_cast<int>(nodes_.size());
    nodes_.push_back(std::move(node));
    return result;
  }

  // Every id is below this; side tables are vectors of this size.
  int id_count() const { return static_cast<int>(nodes_.size()); }

 private:
  struct Base {
    virtual ~Base() = default;
  };
  template <typename T>
  struct Holder final : Base {
    template <typename... Args>
    explicit Holder(Args&&... args) : value(std::forward<Args>(args)...) {}
    T value;
  };

  std::vector<std::unique_ptr<Base>> nodes_;
};

}  // namespace weir::ast
