/** Sets the newest entry of a map, whose oldest entry goes when there are more than `capacity`. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, capacity: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size > capacity) map.delete(map.keys().next().value as K)
}
