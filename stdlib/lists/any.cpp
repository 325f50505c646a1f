/*weir
Whether the function says true for an element; false for an empty list.

fn any(list: list<T>, f: (T) -> bool) -> bool pure intrinsic

examples:
  any([1, 2], x => x > 1)
  not any([1, 2], x => x > 2)
*/
