import { createHash } from 'node:crypto'

/** Numbers from 0 up to 1 that a seed and a place decide alone, so that a run can be had again. */
export type Random = () => number

export const randomOf = (...seed: (string | number)[]): Random => {
  const key = seed.join('/')
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${key}#${count}`).digest().readUInt32BE() / 2 ** 32
  }
}
