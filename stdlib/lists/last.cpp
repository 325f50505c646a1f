/*weir
The last element; absent when the list is empty.

fn last(list: list<T>) -> T? pure intrinsic

examples:
  last([3, 4]) == 4
*/
