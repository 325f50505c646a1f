/*weir
The elements for which the function says true, in order.

fn filter(list: list<T>, f: (T) -> bool) -> list<T> pure intrinsic

examples:
  length(filter([1, 2, 3], x => x > 1)) == 2
  at(filter([1, 2, 3], x => x > 1), 0) == 2
*/
