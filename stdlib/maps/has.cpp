/*weir
Whether the map has the key.

fn has(map: map<string, T>, key: string) -> bool pure intrinsic
lower: weir_map_find

examples:
*/
