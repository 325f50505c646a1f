/*weir
The least of two values that have an order; the first of equals. With one argument it is an aggregate.

fn min(a: T, b: T) -> T pure special
lower: a comparison and a choice

examples:
  min(2, 1) == 1
  min("b", "a") == "a"
  min(1.5, 1) == 1
*/
