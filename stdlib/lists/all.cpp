/*weir
Whether the function says true for all elements; true for an empty list.

fn all(list: list<T>, f: (T) -> bool) -> bool pure intrinsic

examples:
  all([1, 2], x => x > 0)
  not all([1, 2], x => x > 1)
*/
