/*weir
The first element; absent when the list is empty.

fn first(list: list<T>) -> T? pure intrinsic

examples:
  first([3, 4]) == 3
*/
