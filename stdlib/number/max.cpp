/*weir
The greatest of two values that have an order; the first of equals. With one argument it is an aggregate.

fn max(a: T, b: T) -> T pure special
lower: a comparison and a choice

examples:
  max(2, 1) == 2
  max("b", "a") == "b"
  max(1s, 1m) == 1m
*/
