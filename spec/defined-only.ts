type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the object without members that are undefined. */
export function definedOnly<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>;
}
