import type { Html } from '../../pages/html.ts'
import { identifier } from '../../pages/parts.ts'

/** Who did something: an address is cut to its room, a name stays what it is. */
export const identityOf = (by: string): Html | string => (by.startsWith('0x') ? identifier(by) : by)
