type Shown = string | number | boolean | null | undefined | readonly Shown[] | { readonly [name: string]: Shown }

const isAmount = (value: object): value is { raw: string } => 'raw' in value

/** A view with the base units of each amount in its place. */
export const inBaseUnits = (view: object): Shown =>
  isAmount(view)
    ? view.raw
    : Array.isArray(view)
      ? view.map(inBaseUnits)
      : Object.fromEntries(
          Object.entries(view).map(([name, value]) => [name, typeof value === 'object' && value !== null ? inBaseUnits(value) : value]),
        )
