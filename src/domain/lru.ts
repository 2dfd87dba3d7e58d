/** Sets an entry as the newest of a map, and removes the oldest one beyond `capacity` entries. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, capacity: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size > capacity) map.delete(map.keys().next().value as K)
}
