import { randomBytes } from 'node:crypto'

/** A new id of a grant. */
export const newGrantId = (): string => `grant-${randomBytes(6).toString('hex')}`
