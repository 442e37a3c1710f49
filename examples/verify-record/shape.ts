// Closed shapes of records: every member is named, and a member that is not named is refused.
import { instantOf, isObject, printable, Refused } from './encoding/json.ts'

/** Checks a value, and throws `Refused` with its place. */
export type Shape = (value: unknown, place: string) => void

const refuse = (place: string, why: string): never => {
  throw new Refused(`${place === '' ? 'the record' : printable(place)} ${why}`)
}

export const text =
  (form: RegExp): Shape =>
  (value, place) => {
    if (typeof value !== 'string' || !form.test(value)) refuse(place, 'is malformed')
  }

export const oneOf =
  (...values: readonly unknown[]): Shape =>
  (value, place) => {
    if (!values.includes(value)) refuse(place, `is none of ${values.join(', ')}`)
  }

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Shape =>
  (value, place) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) refuse(place, 'is out of range')
  }

export const flag: Shape = (value, place) => {
  if (typeof value !== 'boolean') refuse(place, 'is neither true nor false')
}

export const anything: Shape = () => undefined

export const object: Shape = (value, place) => {
  if (!isObject(value)) refuse(place, 'is no object')
}

export const nullable =
  (shape: Shape): Shape =>
  (value, place) =>
    value === null ? undefined : shape(value, place)

export const list =
  (shape: Shape, least = 0): Shape =>
  (value, place) => {
    if (!Array.isArray(value)) return refuse(place, 'is no list')
    if (value.length < least) refuse(place, 'is too short')
    for (const [index, item] of value.entries()) shape(item, `${place}/${index}`)
  }

type Shapes = Readonly<Record<string, Shape>>

/** An object with these members; `optional` ones may be absent, and others may stand beside them. */
export const open =
  (members: Shapes, optional: Shapes = {}): Shape =>
  (value, place) => {
    if (!isObject(value)) return refuse(place, 'is no object')
    for (const [name, shape] of Object.entries(members)) {
      if (!Object.hasOwn(value, name)) refuse(`${place}/${name}`, 'is missing')
      shape(value[name], `${place}/${name}`)
    }
    for (const [name, shape] of Object.entries(optional)) if (Object.hasOwn(value, name)) shape(value[name], `${place}/${name}`)
  }

/** An object with these members alone; `optional` ones may be absent. */
export const closed =
  (members: Shapes, optional: Shapes = {}): Shape =>
  (value, place) => {
    if (isObject(value))
      for (const name of Object.keys(value))
        if (!Object.hasOwn(members, name) && !Object.hasOwn(optional, name)) refuse(`${place}/${name}`, 'is no member of this record')
    open(members, optional)(value, place)
  }

export const anyText = text(/^/)
/** The first block of Ethereum: no escrow is older. */
const FIRST_BLOCK = Date.UTC(2015, 6, 30)
export const instant: Shape = (value, place) => {
  if (typeof value !== 'string') refuse(place, 'is no text')
  else if (instantOf(value) < FIRST_BLOCK) refuse(place, 'is dated before any chain had an escrow')
}
export const bytes32 = text(/^0x[0-9a-f]{64}$/)
export const bytes = text(/^0x([0-9a-f]{2})*$/)
export const party = text(/^0x(?!0{40}$)[0-9a-f]{40}$/)
export const raw = text(/^(0|[1-9][0-9]*)$/)
export const display = text(/^[0-9]+(\.[0-9]+)?$/)
export const address = text(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/)
export const basisPoints = integer(0, 10_000)
