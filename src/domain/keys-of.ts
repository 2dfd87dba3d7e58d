/** The keys of an object whose type names all of them. */
export const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]
