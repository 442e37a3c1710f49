/** All members of a union of objects, as one object. */
export type Merged<Part> = {
  [Name in Part extends unknown ? keyof Part : never]: Part extends Readonly<Record<Name, infer Value>> ? Value : never
}

/** Puts the members of several objects into one. Throws when two objects give one name different values. */
export const merge = <Part extends object>(parts: readonly Part[]): Merged<Part> => {
  const merged = new Map<string, unknown>()
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (merged.has(name) && merged.get(name) !== value) throw new Error(`${name} stands in two subjects`)
    merged.set(name, value)
  }
  return Object.fromEntries(merged) as Merged<Part>
}
