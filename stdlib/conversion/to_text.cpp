/*weir
The value as text, as it is written in JSON without quotes: decimals with all digits of their scale, timestamps in RFC 3339,
durations as `PT90.5S`. `"${x}"` does the same.

fn to_text(x: T) -> string pure special
lower: weir_put_bool, weir_put_int, weir_put_decimal64, weir_put_decimal128, weir_put_float (5014), weir_put_timestamp, weir_put_duration

examples:
  to_text(17) == "17"
  to_text(1.50) == "1.50"
  to_text(true) == "true"
  to_text(@2026-01-01T00:00:00Z) == "2026-01-01T00:00:00Z"
  to_text(90500ms) == "PT90.5S"
*/
