/*weir
`a / b` with `scale` digits after the point, half to even. `scale` is a literal.

fn ratio(a: int, b: int, scale: int) -> decimal(p, s) pure fails 5007 5008 special
lower: weir_decimal_divide

examples:
  ratio(1, 3, scale: 4) == 0.3333
  ratio(2, 3, scale: 2) == 0.67
  ratio(1, 8, scale: 2) == 0.12
*/
