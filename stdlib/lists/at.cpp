/*weir
The element at `index`; the first is 0. An index that is negative or beyond the end is an error.

fn at(list: list<T>, index: int) -> T pure fails 5013 intrinsic

examples:
  at([1, 2], 1) == 2
  (try at([1, 2], 5)) is null
  (try at([1, 2], -1)) is null
*/
