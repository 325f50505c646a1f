/*weir
The keys, in the order of their bytes.

fn keys(map: map<string, T>) -> list<string> pure intrinsic

examples:
*/
