/*weir
The values, in the order of their keys.

fn values(map: map<string, T>) -> list<T> pure intrinsic

examples:
*/
