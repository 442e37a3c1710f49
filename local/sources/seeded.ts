/** A whole number from 0 to 2³²−1 that follows from a number and a purpose, evenly spread. */
export const mix = (number: number, purpose: number): number => {
  let value = (Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b)) >>> 0
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad) >>> 0
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97) >>> 0
  return (value ^ (value >>> 15)) >>> 0
}

/** An entry of a list that follows from a number and a purpose. */
export const pickSeeded = <Value>(list: readonly Value[], number: number, purpose: number): Value => {
  const picked = list[mix(number, purpose) % list.length]
  if (picked === undefined) throw new Error('an empty list has no entry')
  return picked
}
