/*weir
The value of a key; absent when the map does not have it.

fn get(map: map<string, T>, key: string) -> T? pure intrinsic
lower: weir_map_find

examples:
*/
