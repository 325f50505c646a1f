/*weir
The results of the function for each element, in order.

fn map(list: list<T>, f: (T) -> U) -> list<U> pure intrinsic

examples:
  map([1, 2], x => x * 2) == [2, 4]
*/
