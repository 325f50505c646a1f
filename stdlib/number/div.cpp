/*weir
The whole part of `a / b`, towards zero.

fn div(a: int, b: int) -> int pure fails 5006 5007 special
lower: the operation `/` of two ints

examples:
  div(7, 2) == 3
  div(-7, 2) == -3
  (try div(length(""), length(""))) is null
*/
