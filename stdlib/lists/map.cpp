/*weir
The results of the function for each element, in order.

fn map(list: list<T>, f: (T) -> U) -> list<U> pure intrinsic

examples:
  at(map([1, 2], x => x * 2), 1) == 4
*/
