/*weir
A decimal with fewer digits after the point, half to even: `round(x, n)` of a decimal(p, s) is a decimal(p - s + n + 1,
n). `n` is a literal. A float is rounded on its way to a decimal: `to_decimal`.

fn round(x: decimal(p, s), digits: int) -> decimal(p, s) pure special
lower: weir_decimal_round(x, s - n, WEIR_ROUND_HALF_EVEN)

examples:
  round(2.345, 2) == 2.34
  round(2.355, 2) == 2.36
  round(-0.5, 0) == 0
*/
