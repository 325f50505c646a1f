/*weir
A decimal(precision, scale). From an int, a decimal or a text it is exact, or an error; a float is rounded half to even,
from its exact value. `precision` and `scale` are literals.

fn to_decimal(x: T, precision: int, scale: int) -> decimal(p, s) pure fails 5008 5009 5014 5016 special
lower: string: weir_parse_decimal; float: weir_float_to_decimal; int, decimal: weir_decimal_rescale

examples:
  to_decimal("12.50", 10, 2) == 12.50
  to_decimal(7, 10, 2) == 7.00
  (try to_decimal("12.345", 10, 2)) is null
*/
